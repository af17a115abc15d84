package dev.substrat.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.McpOutcome;
import dev.substrat.platform.json.Json;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import javax.imageio.ImageIO;
import javax.sound.sampled.AudioFileFormat;
import javax.sound.sampled.AudioFormat;
import javax.sound.sampled.AudioInputStream;
import javax.sound.sampled.AudioSystem;

/// Content blocks for tools, prompts and resources.
final class Content {
  private Content() {}

  static ObjectNode text(String text) {
    return Json.object().put("type", "text").put("text", text);
  }

  static ObjectNode image() {
    return Json.object().put("type", "image").put("data", png()).put("mimeType", "image/png");
  }

  static ObjectNode audio() {
    return Json.object().put("type", "audio").put("data", wav()).put("mimeType", "audio/wav");
  }

  static ObjectNode resource(String uri, String type, String text) {
    var content = Json.object().put("type", "resource");
    content.putObject("resource").put("uri", uri).put("mimeType", type).put("text", text);
    return content;
  }

  static McpOutcome result(ObjectNode... contents) {
    var result = Json.object();
    var list = result.putArray("content");
    for (ObjectNode content : contents) {
      list.add(content);
    }
    return new McpOutcome.CompleteResult(result);
  }

  static McpOutcome said(String text) {
    return result(text(text));
  }

  static String png() {
    var out = new ByteArrayOutputStream();
    try {
      ImageIO.write(new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB), "png", out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(out.toByteArray());
  }

  private static String wav() {
    var out = new ByteArrayOutputStream();
    var format = new AudioFormat(8_000, 16, 1, true, false);
    var silence = new AudioInputStream(new ByteArrayInputStream(new byte[2]), format, 1);
    try {
      AudioSystem.write(silence, AudioFileFormat.Type.WAVE, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(out.toByteArray());
  }
}
