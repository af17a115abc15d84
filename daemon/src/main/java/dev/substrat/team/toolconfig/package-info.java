/// Configuration of custom tools and remote MCP servers: records, rules, placeholders, secrets.
@NullMarked
package dev.substrat.team.toolconfig;

import org.jspecify.annotations.NullMarked;
