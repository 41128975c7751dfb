// The native methods of Model.java.  A Java exception thrown in a callback stays pending in the
// JVM, and travels through the library as a C++ exception.
#include <cstddef>
#include <jni.h>
#include <memory>
#include <new>
#include <vector>

#include "svm_ext.h"

namespace {

// A Java exception is pending.
struct JavaException {};

// Makes the library's last error a pending exception.
void fail(JNIEnv* env) {
  jclass type = env->FindClass("java/lang/IllegalArgumentException");
  if (type != nullptr) env->ThrowNew(type, svm_last_error());
}

// Runs `work`, and leaves a pending exception where it throws: no C++ exception may reach the JVM.
template <typename Result, typename Work>
Result guarded(JNIEnv* env, Result failure, Work work) {
  try {
    return work();
  } catch (const JavaException&) {
  } catch (const std::bad_alloc&) {
    jclass type = env->FindClass("java/lang/OutOfMemoryError");
    if (type != nullptr) env->ThrowNew(type, "in native code");
  }
  return failure;
}

// A model as Java keeps it, or a pending exception.
jlong to_handle(JNIEnv* env, svm_model* model) {
  if (model == nullptr) fail(env);
  return reinterpret_cast<jlong>(model);
}

using Predictor = std::unique_ptr<svm_predictor, decltype(&svm_free_predictor)>;

svm_model* to_model(jlong handle) { return reinterpret_cast<svm_model*>(handle); }

svm_rows rows_of(JNIEnv* env, jobject buffer, jint columns, jsize count) {
  svm_rows rows{};
  rows.size = sizeof rows;
  rows.rows = static_cast<std::size_t>(count);
  rows.columns = static_cast<std::size_t>(columns);
  rows.layout = SVM_DENSE;
  rows.value_type = SVM_FLOAT;
  rows.values = env->GetDirectBufferAddress(buffer);
  rows.stride = rows.columns;
  return rows;
}

// Sends texts to a java.util.function.Consumer.  The library calls on the thread that called it.
class Listener {
 public:
  Listener(JNIEnv* env, jobject consumer)
      : env_(env),
        consumer_(consumer),
        accept_(
            env->GetMethodID(env->GetObjectClass(consumer), "accept", "(Ljava/lang/Object;)V")) {}

  void connect(svm_options& options) {
    options.print = options.warn = [](const char* text, void* user) {
      static_cast<Listener*>(user)->send(text);
    };
    options.print_user = options.warn_user = this;
  }

 private:
  void send(const char* text) {
    jstring string = env_->NewStringUTF(text);
    if (string != nullptr) env_->CallVoidMethod(consumer_, accept_, string);
    if (env_->ExceptionCheck()) throw JavaException();
    env_->DeleteLocalRef(string);
  }

  JNIEnv* env_;
  jobject consumer_;
  jmethodID accept_;
};

svm_parameter parameters(double cost, double gamma) {
  svm_parameter param{};
  param.svm_type = C_SVC;
  param.kernel_type = RBF;
  param.gamma = gamma;
  param.C = cost;
  param.eps = 0.001;
  param.cache_size = 100;
  param.shrinking = 1;
  return param;
}

}  // namespace

extern "C" {

JNIEXPORT jlong JNICALL Java_Model_train0(JNIEnv* env, jclass, jobject buffer, jint columns,
                                          jdoubleArray labels, jdouble cost, jdouble gamma,
                                          jobject messages) {
  return guarded<jlong>(env, 0, [&] {
    const jsize count = env->GetArrayLength(labels);
    std::vector<double> y(static_cast<std::size_t>(count));
    env->GetDoubleArrayRegion(labels, 0, count, y.data());
    const svm_rows rows = rows_of(env, buffer, columns, count);
    const svm_parameter param = parameters(cost, gamma);
    svm_options options;
    svm_init_options(&options, sizeof options);
    Listener listener(env, messages);
    listener.connect(options);
    return to_handle(env, svm_train_rows(&rows, y.data(), &param, &options, nullptr));
  });
}

JNIEXPORT jlong JNICALL Java_Model_fromText0(JNIEnv* env, jclass, jbyteArray text) {
  return guarded<jlong>(env, 0, [&] {
    std::vector<char> bytes(static_cast<std::size_t>(env->GetArrayLength(text)));
    env->GetByteArrayRegion(text, 0, env->GetArrayLength(text),
                            reinterpret_cast<jbyte*>(bytes.data()));
    return to_handle(env, svm_parse_model(bytes.data(), bytes.size()));
  });
}

JNIEXPORT jbyteArray JNICALL Java_Model_text0(JNIEnv* env, jclass, jlong handle) {
  std::size_t size = 0;
  char* const text = svm_model_text(to_model(handle), 0, &size);
  if (text == nullptr) {
    fail(env);
    return nullptr;
  }
  jbyteArray bytes = env->NewByteArray(static_cast<jsize>(size));
  if (bytes != nullptr)
    env->SetByteArrayRegion(bytes, 0, static_cast<jsize>(size),
                            reinterpret_cast<const jbyte*>(text));
  svm_free_text(text);
  return bytes;
}

JNIEXPORT void JNICALL Java_Model_predict0(JNIEnv* env, jclass, jlong handle, jobject buffer,
                                           jint columns, jdoubleArray predictions) {
  guarded(env, false, [&] {
    const jsize count = env->GetArrayLength(predictions);
    const svm_rows rows = rows_of(env, buffer, columns, count);
    std::vector<double> result(rows.rows);
    const Predictor predictor(svm_make_predictor(to_model(handle), 0), svm_free_predictor);
    const int status =
        predictor ? svm_predict_rows(predictor.get(), &rows, 0, result.data(), nullptr, nullptr)
                  : -1;
    if (status != 0)
      fail(env);
    else
      env->SetDoubleArrayRegion(predictions, 0, count, result.data());
    return status == 0;
  });
}

JNIEXPORT void JNICALL Java_Model_close0(JNIEnv*, jclass, jlong handle) {
  svm_model* model = to_model(handle);
  svm_free_and_destroy_model(&model);
}
}
