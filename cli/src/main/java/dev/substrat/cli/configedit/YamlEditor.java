package dev.substrat.cli.configedit;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.substrat.cli.client.JsonTree;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.Tag;

/// Editor for YAML entries one level below a root key.
final class YamlEditor implements ConfigTextEditor {

  @Override
  public JsonNode parse(String text) throws IOException {
    var format =
        YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
            .build();
    return JsonTree.parse(text.getBytes(StandardCharsets.UTF_8), format);
  }

  @Override
  public String put(String text, List<String> path, ObjectNode entry) throws IOException {
    var page = new EditableYaml(text);
    String name = path.getLast();
    MappingNode root = root(text);
    if (root == null || root.getValue().isEmpty()) {
      return root == null
          ? page.append("", path.getFirst(), name, entry)
          : page.intoFlow(root, path.getFirst(), JsonTree.object().set(name, entry));
    }
    NodeTuple container = EditableYaml.find(root, path.getFirst());
    if (container == null) {
      String indentation = page.indentation(root.getValue().getFirst().getKeyNode());
      return EditableYaml.isFlow(root)
          ? page.intoFlow(root, path.getFirst(), JsonTree.object().set(name, entry))
          : page.append(indentation, path.getFirst(), name, entry);
    }
    return container.getValueNode() instanceof MappingNode entries
        ? into(page, container, entries, name, entry)
        : page.inPlaceOfNull(container, name, entry);
  }

  private static String into(
      EditableYaml page, NodeTuple container, MappingNode entries, String name, ObjectNode entry) {
    NodeTuple present = EditableYaml.find(entries, name);
    if (EditableYaml.isFlow(entries)) {
      return present == null
          ? page.intoFlow(entries, name, entry)
          : page.replacedInFlow(present, entry);
    }
    return present == null
        ? page.below(
            container, page.indentation(entries.getValue().getFirst().getKeyNode()), name, entry)
        : page.replaced(present, name, entry);
  }

  @Override
  public String remove(String text, List<String> path) throws IOException {
    var page = new EditableYaml(text);
    MappingNode root = root(text);
    NodeTuple container = root == null ? null : EditableYaml.find(root, path.getFirst());
    if (container == null || !(container.getValueNode() instanceof MappingNode entries)) {
      throw new IOException("nothing there");
    }
    NodeTuple present = EditableYaml.find(entries, path.getLast());
    if (present == null) {
      throw new IOException("nothing there");
    }
    return EditableYaml.isFlow(entries)
        ? page.withoutInFlow(entries, present)
        : page.without(container, entries, present);
  }

  private static @Nullable MappingNode root(String text) throws IOException {
    try {
      Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
      if (root instanceof MappingNode mapping) {
        return mapping;
      }
      if (root == null || root.getTag().equals(Tag.NULL)) {
        return null;
      }
      throw new IOException("no keys at the root");
    } catch (YAMLException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
