package dev.substrat.toolset.workspace;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/// Why something could not be done with a file, without telling where on this machine it is.
final class FileErrors {
  private FileErrors() {}

  static String of(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "there is nothing there";
      case NotDirectoryException _ -> "something on the way is no folder";
      case AccessDeniedException _ -> "the daemon may not do that";
      case DirectoryNotEmptyException _ -> "there is a folder there";
      case FileSystemException broken when broken.getReason() != null -> broken.getReason();
      default -> "the file system says no (" + e.getClass().getSimpleName() + ")";
    };
  }

  /// As a tool tells it.
  static Fault fault(SafePath path, IOException e) {
    return e instanceof NoSuchFileException
        ? new Fault(
            ErrorCode.NOT_FOUND,
            "there is no " + path + " in your workspace",
            "list_files shows what there is",
            e)
        : new Fault(
            ErrorCode.PATH_BLOCKED,
            path + " cannot be used: " + of(e),
            "list_files shows what there is",
            e);
  }
}
