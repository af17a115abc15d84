package dev.substrat.toolset.workspace;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/// Error messages of file operations that do not reveal paths of the machine.
final class FileErrorMessages {
  private FileErrorMessages() {}

  static String of(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "it does not exist";
      case NotDirectoryException _ -> "a parent of it is not a directory";
      case AccessDeniedException _ -> "permission denied";
      case DirectoryNotEmptyException _ -> "it is a directory that is not empty";
      case FileSystemException broken when broken.getReason() != null -> broken.getReason();
      default -> "file system error (" + e.getClass().getSimpleName() + ")";
    };
  }

  /// Error of a tool call.
  static Fault fault(SafePath path, IOException e) {
    return e instanceof NoSuchFileException
        ? ErrorCode.NOT_FOUND.fault(
            path + " does not exist in your workspace", "list files with list_files", e)
        : ErrorCode.PATH_BLOCKED.fault(
            path + " cannot be used: " + of(e), "list files with list_files", e);
  }
}
