#!/usr/bin/env bash
# Usage: completion_test.sh FOLDER_OF_SCRIPTS
# What bash offers on several command lines.  The scripts are called as bash calls them: with the
# words of the line, a `=` being a word of its own, and the last word is the one to complete.
set -euo pipefail
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for script in *; do
  # shellcheck source=/dev/null
  . "./$script"
  # `complete -p` prints: complete -F FUNCTION PROGRAM
  read -r -a registered < <(complete -p "$script")
  [ "${registered[2]}" = "_${script//-/_}" ] || { echo "$script completes nothing"; exit 1; }
done
cd "$work"
mkdir folder
touch rows.train 'two words' model

cases=0
# offers WORD... : EXPECTED...: the line of these words, the last one being completed.
offers() {
  COMP_WORDS=()
  while [ "$1" != : ]; do
    COMP_WORDS+=("$1")
    shift
  done
  shift
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=(left from before)
  "_${COMP_WORDS[0]//-/_}" || true  # bash does not look at the status
  if [ "$(printf '%s\n' "${COMPREPLY[@]}" | sort)" != "$(printf '%s\n' "$@" | sort)" ]; then
    echo "${COMP_WORDS[*]}: offered '${COMPREPLY[*]}', not '$*'"
    exit 1
  fi
  cases=$((cases + 1))
}

offers svm-train -a cs : csmo
offers svm-train -a "" : smo csmo dcd avsf pegasos snacks smo1 mdm amdm platt pcg
offers svm-train -s "" : 0 1 2 3 4
offers svm-train -c 1 -t 4 : 4
offers svm-train -b "" : 0 1
offers svm-train -c "" :
offers svm-train -w-1 "" :
offers svm-train --free-set o : on off
offers svm-train --free-set = : on off
offers svm-train --free-set = of : off
offers svm-train --comp : --compact
offers svm-train --l : --landmarks --list-solvers
offers svm-train --v : --version
offers svm-train --init mo : model
offers svm-train --row-weights = mo : model
offers svm-train -q "" : folder model rows.train 'two words'
offers svm-train -c 1 ro : rows.train
offers svm-train two : 'two words'
offers svm-predict -b 1 rows.train mo : model
offers svm-predict -b "" : 0 1
offers svm-scale -y : -y
offers svm-scale -y 0 "" :
offers svm-scale -y 0 1 ro : rows.train
offers svm-scale -s r : rows.train
offers svm-grid --search a : adaptive
offers svm-grid -log2c n : null
offers svm-grid -out "" : null folder model rows.train 'two words'
offers svm-grid -log : -log2c -log2g -log2p
offers svm-grid -svmtrain mo : model
echo "$cases lines are completed"
