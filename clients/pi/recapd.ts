// recapd's extension for pi: tells a session what was decided before it, and writes down what is decided in it.
// Installed by `recapd install pi`, removed by `recapd uninstall pi`. It starts `recapd hook`, which has 300 ms and
// says nothing where nothing is to say; without recapd on this machine it does nothing.
import { execFile } from "node:child_process";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { Type } from "typebox";

const RECAPD = process.env.RECAPD_COMMAND ?? "recapd";
const SOURCES: Record<string, string> = { startup: "startup", new: "startup", resume: "resume", fork: "fork" };

/** What `recapd hook` says to an event; "" for nothing, also where there is no recapd. */
function hook(event: string, ctx: ExtensionContext, given: Record<string, unknown> = {}): Promise<string> {
  const said = { session_id: ctx.sessionManager.getSessionId(), cwd: ctx.cwd, hook_event_name: event, ...given };
  return new Promise((resolve) => {
    const child = execFile(RECAPD, ["hook", event, "--agent", "pi"], { timeout: 2_000 }, (error, printed) =>
      resolve(error ? "" : printed),
    );
    child.stdin?.on("error", () => {});
    child.stdin?.end(JSON.stringify(said));
  });
}

function contextIn(printed: string): string {
  try {
    return JSON.parse(printed).hookSpecificOutput?.additionalContext ?? "";
  } catch {
    return "";
  }
}

export default function (pi: ExtensionAPI) {
  // Told with the next prompt: pi has no place for it before.
  let pending = "";

  pi.on("session_start", async (event, ctx) => {
    const source = SOURCES[event.reason];
    if (source !== undefined) pending = contextIn(await hook("SessionStart", ctx, { source }));
  });

  pi.on("before_agent_start", async (event, ctx) => {
    const asked = contextIn(await hook("UserPromptSubmit", ctx, { prompt: event.prompt }));
    const content = [pending, pending ? "" : asked].filter(Boolean).join("\n");
    pending = "";
    if (content) return { message: { customType: "recapd", content, display: false } };
  });

  pi.on("session_compact", async (event, ctx) => {
    await hook("PostCompact", ctx, { compact_summary: event.compactionEntry.summary });
    pending = contextIn(await hook("SessionStart", ctx, { source: "compact" }));
  });

  pi.on("agent_end", async (_event, ctx) => {
    await hook("Stop", ctx);
  });

  pi.on("session_shutdown", async (_event, ctx) => {
    await hook("SessionEnd", ctx, { reason: "exit" });
  });

  pi.registerTool({
    name: "recapd_record",
    label: "Record",
    description:
      "Write down, once and in one line, what the user just decided or approved, or what you decided that the user " +
      "would want to know; also what stays open or is done.",
    parameters: Type.Object({
      kind: Type.Union([
        Type.Literal("decision"),
        Type.Literal("constraint"),
        Type.Literal("open"),
        Type.Literal("done"),
      ]),
      text: Type.String({ description: "One line that can be understood alone." }),
      madeBy: Type.Union([Type.Literal("user"), Type.Literal("agent")]),
      because: Type.Optional(Type.String()),
      replaces: Type.Optional(
        Type.String({ description: "Id or words of what no longer holds; if nothing follows it, text begins with Taken back." }),
      ),
    }),
    async execute() {
      // The call stands in pi's own log, where recapd reads it.
      return { content: [{ type: "text", text: "Recorded." }], details: {} };
    },
  });
}
