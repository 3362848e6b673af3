import type { FlowRecord } from '../../flows/step.js'
import type { LabUrls } from '../../lab/listening/listeners.js'
import type { Fact } from '../../protocol/room/facts.js'
import type { ShownWeak } from '../../protocol/rules/weak-modes.js'
import type { ProxyEvent } from '../../servers/compression/events.js'

/** The first line of `serve --json`. */
export type LabReady = {
  readonly type: 'lab.ready'
  readonly pid: number
  /** Path of the CA file that clients have to trust. */
  readonly ca: string
  /**
   * Base URLs, no trailing slash: `authorization`, `http`, `resource`, `cluster`, `dns`. `mcp` is the MCP server at the
   * resource server, `web` the address of the dashboard with its key.
   */
  readonly urls: LabUrls & { readonly mcp?: string; readonly web?: string }
  /** The weak modes of the lab; absent for a strict lab. */
  readonly weak?: readonly ShownWeak[]
}

/** The first line of `resource --json`. */
export type ResourceReady = {
  readonly type: 'resource.ready'
  readonly pid: number
  /** Path of the CA file that clients have to trust. */
  readonly ca: string
  /** Base URL, no trailing slash, and its MCP server. */
  readonly urls: { readonly resource: string; readonly mcp: string }
  /** The authority whose tokens are taken. */
  readonly issuer: string
  readonly audiences: readonly string[]
}

/** The first line of `client-document --serve --json`. */
export type DocumentReady = {
  readonly type: 'client_document.ready'
  readonly pid: number
  /** Path of the CA file that readers have to trust. */
  readonly ca: string
  /** The address of the document. */
  readonly client_id: string
}

/** A line of `k8s mount --json`. */
export type VolumeWritten = {
  readonly type: 'volume.written'
  /** ISO 8601 UTC. */
  readonly at: string
  readonly dir: string
  /** The folder that `..data` leads to now. */
  readonly folder: string
  /** When the token expires, ISO 8601 UTC; null where the cluster does not say. */
  readonly expires: string | null
  readonly renew_in_seconds: number
}

/** The first line of `workshop --json`; the facts of the room follow. */
export type WorkshopReady = {
  readonly type: 'workshop.ready'
  /** The line that participants type. */
  readonly join: string
  /** The page of the teacher, with its key. */
  readonly board: string
  /** The page that says how to join, for everybody. */
  readonly http: string
  /** The code of the room. */
  readonly code: string
  /** The lab of the whole room; absent without `--lab`. */
  readonly lab?: { readonly server: string }
}

/** Lines of `--json` that commands print about themselves. */
export type CommandLine = LabReady | ResourceReady | DocumentReady | VolumeWritten | WorkshopReady

/** The meaning of each line of `--json` that is no event of a lab. The compiler holds the list complete. */
export const LINE_MEANINGS: Readonly<Record<(CommandLine | ProxyEvent | FlowRecord | Fact)['type'], string>> =
  {
    'lab.ready': 'the lab listens; the first line of serve --json',
    'resource.ready': 'the resource server listens; the first line of resource --json',
    'client_document.ready': 'the document is served; the first line of client-document --serve --json',
    'volume.written': 'a token was written by k8s mount, which says when it writes the next',
    'workshop.ready': 'people can join the room; the first line of workshop --json',
    fact: 'a participant of a workshop went on, was refused or asks for help',
    'proxy.passed': 'an exchange went through compress proxy',
    'proxy.switched': 'another mode of compress proxy holds from now on',
    step: 'a flow took a step',
    outcome: 'how it ended; always the last line',
  }
