#!/usr/bin/env python3
"""Makes a root folder of Debian from packages that are installed here: host_root.py FOLDER PACKAGE...

The folder gets the essential packages, those named, and all that they depend on, as files and as
entries of dpkg's database, so that apt and dpkg run in it by chroot. Nothing is downloaded; texts
of the packages (manuals, translations) are left out.
"""

import os
import re
import shutil
import subprocess
import sys

INFO = "/var/lib/dpkg/info"
LEFT_OUT = ("/usr/share/doc", "/usr/share/man", "/usr/share/locale", "/usr/share/info")
# Made by programs on installation, so that no package lists them.
STATE = ("/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow", "/etc/alternatives",
         "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/var/lib/dpkg/alternatives",
         "/var/lib/dpkg/arch", "/var/lib/dpkg/diversions", "/var/lib/dpkg/statoverride")
LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
FOLDERS = ("dev", "proc", "sys", "tmp", "run", "var/tmp", "var/lib/apt/lists/partial",
           "var/cache/apt/archives/partial", "var/lib/dpkg/info", "var/lib/dpkg/updates",
           "var/lib/dpkg/triggers", "var/log/apt", "etc/apt/apt.conf.d", "etc/apt/preferences.d")


def installed():
    """Returns the stanzas of installed packages by name, each a pair of fields and text."""
    packages = {}
    with open("/var/lib/dpkg/status", encoding="utf-8") as file:
        for text in file.read().strip().split("\n\n"):
            fields = dict(re.findall(r"^([A-Za-z-]+): (.*)$", text, re.M))
            if fields["Status"].endswith(" ok installed"):
                packages.setdefault(fields["Package"], (fields, text))
    return packages


def names(relation):
    """Yields the lists of alternatives of a Depends field or the like."""
    for group in relation.split(",") if relation else ():
        yield [word.split("(")[0].split(":")[0].strip() for word in group.split("|")]


def closure(packages, wanted):
    """Returns the names of the essential and the wanted packages, and of what they depend on."""
    providers = {}
    for name, (fields, _) in packages.items():
        for (provided,) in names(fields.get("Provides", "")):
            providers.setdefault(provided, name)
    chosen = set()
    queue = [name for name, (fields, _) in packages.items() if fields.get("Essential") == "yes"]
    queue += wanted
    while queue:
        name = queue.pop()
        if name in chosen:
            continue
        chosen.add(name)
        fields = packages[name][0]
        for field in ("Pre-Depends", "Depends"):
            for group in names(fields.get(field, "")):
                found = [each for each in group if each in packages]
                found += [providers[each] for each in group if each in providers]
                if not found:
                    sys.exit("host_root.py: %s depends on %s, which is not installed" %
                             (name, " | ".join(group)))
                queue.append(found[0])
    return chosen


def listed_files(packages, chosen):
    """Returns the paths of the packages' files."""
    paths = []
    for name in chosen:
        architecture = packages[name][0]["Architecture"]
        for stem in (name, name + ":" + architecture):
            path = os.path.join(INFO, stem + ".list")
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    paths += file.read().splitlines()
    return [path for path in paths if path != "/." and not path.startswith(LEFT_OUT)
            and os.path.lexists(path)]


def alternatives():
    """Yields the links, as /usr/bin/awk, that update-alternatives made."""
    for entry in os.scandir("/var/lib/dpkg/alternatives"):
        with open(entry.path, encoding="utf-8") as file:
            file.readline()
            yield file.readline().strip()


def main(root, wanted):
    packages = installed()
    missing = [name for name in wanted if name not in packages]
    if missing:
        sys.exit("host_root.py: not installed: " + " ".join(missing))
    chosen = closure(packages, wanted)
    for folder in FOLDERS:
        os.makedirs(os.path.join(root, folder), exist_ok=True)
    for link in LINKS:
        if os.path.islink("/" + link):
            target = os.readlink("/" + link)
            os.makedirs(os.path.join(root, target), exist_ok=True)
            os.symlink(target, os.path.join(root, link))
    paths = listed_files(packages, chosen) + [path for path in STATE if os.path.exists(path)]
    paths += filter(os.path.islink, alternatives())
    paths += [entry.path for folder in STATE if os.path.isdir(folder)
              for entry in os.scandir(folder)]
    write = subprocess.Popen(["tar", "-C", "/", "--no-recursion", "--null", "-T", "-", "-cf", "-"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    read = subprocess.Popen(["tar", "-C", root, "--keep-directory-symlink", "-xf", "-"],
                            stdin=write.stdout)
    unique = dict.fromkeys("." + path for path in paths if path.lstrip("/") not in LINKS)
    write.stdin.write("\0".join(unique).encode())
    write.stdin.close()
    if write.wait() != 0 or read.wait() != 0:
        sys.exit("host_root.py: copying files failed")

    for entry in os.scandir(INFO):
        if entry.name == "format" or entry.name.rsplit(".", 1)[0].split(":")[0] in chosen:
            shutil.copy2(entry.path, os.path.join(root, INFO[1:]))
    with open(os.path.join(root, "var/lib/dpkg/status"), "w", encoding="utf-8") as file:
        file.write("".join(packages[name][1] + "\n\n" for name in sorted(chosen)))
    subprocess.run(["chroot", root, "/sbin/ldconfig"], check=True)
    print("%d packages, %d files" % (len(chosen), len(unique)))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__.splitlines()[0])
    main(sys.argv[1], sys.argv[2:])
