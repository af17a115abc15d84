package dev.substrat.clients.browser;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/// Writes screenshots of pages with a palette of 256 colours, at a third of the size.
final class ScreenshotWriter {
  private static final int COLOURS = 256;

  /// Squared distance below which two colours count as equal.
  private static final int ALIKE = 24;

  private final Path folder;

  ScreenshotWriter(Path folder) {
    this.folder = folder;
  }

  void keep(String name, byte[] png) throws IOException {
    BufferedImage picture = ImageIO.read(new ByteArrayInputStream(png));
    ImageIO.write(indexed(picture), "png", folder.resolve(name + ".png").toFile());
  }

  private static BufferedImage indexed(BufferedImage picture) {
    List<Integer> palette = palette(picture);
    var nearest = new HashMap<Integer, Integer>();
    var small =
        new BufferedImage(
            picture.getWidth(),
            picture.getHeight(),
            BufferedImage.TYPE_BYTE_INDEXED,
            model(palette));
    for (int y = 0; y < picture.getHeight(); y++) {
      for (int x = 0; x < picture.getWidth(); x++) {
        int index =
            nearest.computeIfAbsent(picture.getRGB(x, y), colour -> nearest(palette, colour));
        small.getRaster().setSample(x, y, 0, index);
      }
    }
    return small;
  }

  /// The most frequent colours, without near duplicates: a small green dot matters more than
  /// another shade of grey.
  private static List<Integer> palette(BufferedImage picture) {
    var chosen = new ArrayList<Integer>();
    for (int colour : mostFrequentFirst(picture)) {
      boolean isLikeAnother = chosen.stream().anyMatch(other -> distance(other, colour) < ALIKE);
      if (!isLikeAnother && chosen.size() < COLOURS) {
        chosen.add(colour);
      }
    }
    return chosen;
  }

  private static List<Integer> mostFrequentFirst(BufferedImage picture) {
    var counts = new HashMap<Integer, Integer>();
    for (int y = 0; y < picture.getHeight(); y++) {
      for (int x = 0; x < picture.getWidth(); x++) {
        counts.merge(picture.getRGB(x, y), 1, Integer::sum);
      }
    }
    return counts.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static IndexColorModel model(List<Integer> palette) {
    int[] colours = palette.stream().mapToInt(Integer::intValue).toArray();
    return new IndexColorModel(8, colours.length, colours, 0, false, -1, 0);
  }

  private static int nearest(List<Integer> palette, int colour) {
    int best = 0;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < palette.size(); i++) {
      int distance = distance(palette.get(i), colour);
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    return best;
  }

  private static int distance(int one, int other) {
    int sum = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
      int apart = ((one >> shift) & 0xff) - ((other >> shift) & 0xff);
      sum += apart * apart;
    }
    return sum;
  }
}
