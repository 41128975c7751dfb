"""LIBSVM's Python modules: svm, svmutil, commonutil."""
