import type { Command, Option } from 'commander'
import {
  isOnRequest,
  type LabPorts,
  LISTENERS,
  type ListenerName,
  listenerNames,
  onRequest,
} from '../../lab/listening/listeners.js'
import { defined } from '../../protocol/values.js'
import { portOption } from './listen-options.js'

/** These keep their ports with `--port 0`; the others get free ones then, so that two labs can run. */
const KEPT: readonly ListenerName[] = ['authorization', 'http']

function optionOf(name: ListenerName): Option {
  const { title, portOption: flag, port } = LISTENERS[name]
  const meaning = `${title}: port, 0 for a free one`
  const opened = onRequest(name)
  if (opened !== undefined) return portOption(`${flag} <port>`, `${meaning}; ${opened}`)
  if (KEPT.includes(name)) return portOption(`${flag} <port>`, meaning).default(port)
  return portOption(`${flag} <port>`, `${meaning} (default: ${port}, or a free one with --port 0)`)
}

/** Adds an option for the port of each listener. */
export function withPorts(command: Command): Command {
  for (const name of listenerNames) command.addOption(optionOf(name))
  return command
}

/** The ports that were asked for. */
export function readPorts(command: Command): LabPorts {
  const asked = (name: ListenerName): number | undefined =>
    command.getOptionValue(optionOf(name).attributeName())
  const authorization = asked('authorization') ?? LISTENERS.authorization.port
  const portOf = (name: ListenerName) => {
    const unasked = authorization === 0 ? 0 : LISTENERS[name].port
    return asked(name) ?? (isOnRequest(name) ? undefined : unasked)
  }
  return { authorization, ...defined(Object.fromEntries(listenerNames.map(name => [name, portOf(name)]))) }
}
