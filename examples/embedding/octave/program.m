% LIBSVM in Octave: regression on full, single and sparse matrices; models are saved as text; meets
% an error.  Ends with status 1 where something is not as it should be.
1;

function require(holds, what)
  if !holds
    error("wrong: %s", what);
  end
end

% Two features, of which half are 0.  Rows are columns, as svm_mex takes them.
x = linspace(-3, 3, 200);
rows = [max(x, 0); max(-x, 0)];
targets = sin(x) + 0.1 * cos(20 * x);

% Messages appear on Octave's console.
messages = evalc("model = svm_mex('train', targets, rows, 10, 1);");
require(index(messages, "optimization finished") > 0, "messages");
predictions = svm_mex("predict", model, rows);
worst = max(abs(predictions - sin(x)));
printf("largest difference from the sine: %g\n", worst);
require(worst < 0.15, "predictions");

% Sparse rows, where they are: the same model.
evalc("same = svm_mex('train', targets, sparse(rows), 10, 1);");
require(strcmp(same, model), "the model of sparse rows");
require(isequal(svm_mex("predict", model, sparse(rows)), predictions), "sparse predictions");

% Singles: the model of the rounded values.
rounded = single(rows);
evalc("a = svm_mex('train', targets, rounded, 10, 1);");
evalc("b = svm_mex('train', targets, double(rounded), 10, 1);");
require(strcmp(a, b), "the model of singles");

% A model is kept in any of Octave's files.
file = tempname();
save("-binary", file, "model");
loaded = load(file);
delete(file);
require(isequal(svm_mex("predict", loaded.model, rows), predictions), "the model read back");

try
  svm_mex("predict", model(1:end / 2), rows);
  met = "";
catch failure
  met = failure.message;
end
printf("half a model: %s\n", met);
require(length(met) > 0, "half a model is refused");
try
  svm_mex("train", targets, rows, -1, 1);
  met = "";
catch failure
  met = failure.message;
end
printf("a negative C: %s\n", met);
require(length(met) > 0, "a negative C is refused");
