import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;

/**
 * LIBSVM in Java: trains, keeps the model as bytes, predicts with what was read from there, and meets errors.
 * Exits with 1 where something is not as it should be.
 */
final class Program {
  private static final int ROWS = 500;
  private static final int COLUMNS = 2;

  private static void require(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }

  private static String messageOf(Runnable work) {
    try {
      work.run();
    } catch (IllegalArgumentException error) {
      return error.getMessage();
    }
    throw new AssertionError("no error");
  }

  public static void main(String[] arguments) {
    // Two spirals, one of each class.
    Random random = new Random(1);
    FloatBuffer rows = Model.allocate(ROWS, COLUMNS);
    double[] labels = new double[ROWS];
    for (int i = 0; i < ROWS; ++i) {
      labels[i] = i % 2 == 0 ? 1 : -1;
      double angle = 1 + 5 * random.nextDouble(), radius = labels[i] * angle / 6;
      rows.put((float) (radius * Math.cos(angle))).put((float) (radius * Math.sin(angle)));
    }

    List<String> messages = new ArrayList<>();
    byte[] text;
    try (Model model = Model.train(rows, COLUMNS, labels, 10, 10, messages::add)) {
      text = model.text();
    }
    require(!messages.isEmpty(), "messages");

    try (Model model = Model.fromText(text)) {
      require(Arrays.equals(model.text(), text), "text of the model read back");
      double[] predictions = model.predict(rows, COLUMNS, ROWS);
      int right = 0;
      for (int i = 0; i < ROWS; ++i) right += predictions[i] == labels[i] ? 1 : 0;
      System.out.println(right + " of " + ROWS + " rows right");
      require(right > 0.97 * ROWS, "predictions");
    }

    byte[] half = Arrays.copyOf(text, text.length / 2);
    System.out.println("half a model: " + messageOf(() -> Model.fromText(half)));
    System.out.println("a negative cost: "
        + messageOf(() -> Model.train(rows, COLUMNS, labels, -1, 10, messages::add).close()));

    // An exception of the program's own comes back through the library.
    CancellationException thrown = new CancellationException("enough");
    try {
      Model.train(rows, COLUMNS, labels, 10, 10, message -> { throw thrown; }).close();
      require(false, "the exception is lost");
    } catch (CancellationException caught) {
      require(caught == thrown, "another exception");
    }
  }
}
