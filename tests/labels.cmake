# Labels of unit tests, which have the label "unit" as well.  ctest reads this file when it starts, and
# `ctest -L LABEL` runs the tests with a label, `ctest -LE LABEL` the others.

# label(NAME EXPRESSION...): to the tests whose names match one of the expressions.  An expression that matches
# no name is an error, unless only some of the tests were built.
macro(label name)
  foreach(expression ${ARGN})
    set(tests ${svm-tests_TESTS})
    list(FILTER tests INCLUDE REGEX "${expression}")
    if(NOT tests AND svm-tests_TESTS AND NOT SVM_SOME_TESTS)
      message(FATAL_ERROR "tests/labels.cmake: no test has a name that matches ${expression}")
    endif()
    foreach(test IN LISTS tests)
      string(MD5 key "${test}")  # a name may have any letters
      list(APPEND labels_${key} ${name})
      set_tests_properties("${test}" PROPERTIES LABELS "unit;${labels_${key}}")
    endforeach()
  endforeach()
endmacro()

# Sanitizers make these take minutes and find nothing in them that they do not find in others: these start
# programs by the hundred, wait for one to be killed, or repeat the same work to compare numbers.
label(slow_sanitized
  ^AdaptiveCli
  ^Converged.SolversWithoutThresholdEnd
  ^CostPath.WarmStartsOfAllKinds
  ^CsmoTest.ARepeatedRunGivesTheSameBits
  ^CsmoTest.ATinyCacheIsEnough
  ^CsmoTest.EveryTypeOnALargeProblem
  ^CsmoTest.TakesFewerIterationsOnAHardProblem
  ^ForestCli.DoesNotDependOnThreads
  ^ForestFile.DeepTreesAreRead
  ^GridCli.AKilledSearchGoesOn
  ^GridCli.AWarmStartGivesNearlyTheSame
  ^GridCli.RatesAreThoseOfSvmTrain
  ^GridCli.ASecondSearchLeavesTheFirstAlone
  ^GridCli.TheModelIsThatOfSvmTrain
  "^GridWarmStartCli.(Three|Nu|One|SmallCosts|Weights)"
  ^Landmarks.SeedAndThreads
  ^LiveLineCli.LeavesTheOutput
  ^LinearSolvers.SeedAndThreads
  ^NumberText.PrintsMillionsOfNumbersLikePrintf
  ^Pcg.AgreesWithSmo
  ^PredictionsOfLargeModels
  ^RowEnginesOfMany
  ^SubgradientTest.MemoryDoesNotChangeTheAnswer
  "^Threads.(Folds|LeaveOneOut|LevelsOfLargeProblems)"
  "^ViewsTrain.(EverySolver|Folds)"
  ^WeightsInCalls.OfZeroLeaveRowsOut
  /Exp.IsTheLibrarysInEveryRange
  /HardProblem.EverySolverIsOptimal
  /LibraryExp.EveryRange
  /LoopsTest.FindPartner/
  "/TrainingEngines.GiveTheSameModels/(Nu|Epsilon|One)"
  TheCacheChangesNoBit)

# The same of an emulator.
label(slow_emulated
  ^PredictionsOfLargeModels
  ^RowEnginesOfMany
  /LoopsTest.FindPartner/)

# What depends on the processor; of it, what runs with plain loops, which are the same on all.
label(processor
  "/(plain|avx2|avx512|neon)"
  Loops
  ^InstructionSets
  "(^|/)Predictions"
  "(^|/)RowEngines"
  ^TextBlock)
label(plain_loops /plain)

# A signal interrupts a read or a write, which the thread sanitizer may put off until that is over.
label(interrupted_read
  ^TrainInterruptCli.ASecondCtrlCKills
  ^TrainInterruptCli.CtrlCWhileReading)
