import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.function.Consumer;

/**
 * A support vector machine of LIBSVM's, by JNI. Rows are in direct buffers, which the library reads where they
 * are. Close a model when it is done with; other threads may predict with it until then.
 */
final class Model implements AutoCloseable {
  static {
    System.loadLibrary("svm_jni");
  }

  private long handle;

  private Model(long handle) {
    this.handle = handle;
  }

  /** Room for rows of that many features, one after the other. */
  static FloatBuffer allocate(int rows, int columns) {
    return ByteBuffer.allocateDirect(Math.multiplyExact(Math.multiplyExact(rows, columns), Float.BYTES))
        .order(ByteOrder.nativeOrder()).asFloatBuffer();
  }

  /** Trains a classifier with the RBF kernel; what `messages` throws ends the training and is thrown again. */
  static Model train(FloatBuffer rows, int columns, double[] labels, double cost, double gamma,
      Consumer<String> messages) {
    require(rows, columns, labels.length);
    return new Model(train0(rows, columns, labels, cost, gamma, messages));
  }

  /** Of what text() returned. */
  static Model fromText(byte[] text) {
    return new Model(fromText0(text));
  }

  byte[] text() {
    return text0(handle());
  }

  double[] predict(FloatBuffer rows, int columns, int count) {
    require(rows, columns, count);
    double[] predictions = new double[count];
    predict0(handle(), rows, columns, predictions);
    return predictions;
  }

  @Override
  public void close() {
    close0(handle);
    handle = 0;
  }

  private long handle() {
    if (handle == 0) throw new IllegalStateException("the model is closed");
    return handle;
  }

  private static void require(FloatBuffer rows, int columns, int count) {
    if (!rows.isDirect() || rows.order() != ByteOrder.nativeOrder())
      throw new IllegalArgumentException("rows must be in a buffer of allocate()");
    if (columns < 1 || rows.capacity() / columns < count)
      throw new IllegalArgumentException("fewer values than rows times columns");
  }

  private static native long train0(FloatBuffer rows, int columns, double[] labels, double cost, double gamma,
      Consumer<String> messages);
  private static native long fromText0(byte[] text);
  private static native byte[] text0(long handle);
  private static native void predict0(long handle, FloatBuffer rows, int columns, double[] predictions);
  private static native void close0(long handle);
}
