package dev.substrat.turn;

import dev.substrat.event.EventLog;
import dev.substrat.lead.Subscriptions;
import dev.substrat.message.Delivery;
import dev.substrat.permission.Permissions;
import dev.substrat.prompt.Prompts;
import dev.substrat.provider.Providers;
import dev.substrat.space.SpaceTurns;
import dev.substrat.telemetry.Telemetry;
import dev.substrat.tool.Toolbox;
import dev.substrat.transcript.Transcript;
import java.time.InstantSource;

/// What a turn works with.
public record TurnParts(
    EventLog events,
    Delivery delivery,
    Subscriptions subscriptions,
    SpaceTurns spaces,
    Providers providers,
    Toolbox toolbox,
    Prompts prompts,
    Transcript transcript,
    Spending spending,
    Permissions permissions,
    Beginning.Source beginnings,
    RunningTurns running,
    Telemetry telemetry,
    InstantSource clock,
    Pace pace) {}
