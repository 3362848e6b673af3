import { render, useInput } from 'ink'
import type { ReactElement } from 'react'
import { useSyncExternalStore } from 'react'
import type { Line } from '../../render/text/spans.js'
import type { EndingSignal } from './endings.js'
import { signalExitCode, watchEndings } from './endings.js'
import { FrameView } from './frame-view.js'
import { type Controls, createPress, type Front, type ScreenKeys } from './key-rows.js'
import { createKeyReader } from './keys.js'
import type { Size } from './size.js'
import { createStore, type Store } from './state-store.js'
import { createSuspend } from './suspend.js'
import { createTerminal } from './terminal.js'
import { useClock } from './use-clock.js'
import { useTerminalSize } from './use-terminal-size.js'

/** How a screen was left. */
export type Ending = { readonly signal?: EndingSignal; readonly error?: unknown }

/** A screen: a state, its frame, and what its keys act on. */
export interface ScreenParts<State, Ports> {
  readonly store: Store<State>
  readonly ports: Ports
  /** The lines at `now`, at most one less than `size.rows`, none wider than `size.columns`. */
  readonly frame: (state: State, size: Size, now: number) => readonly Line[]
  /** True when a time is visible; then the frame is drawn again every second. Default: never. */
  readonly ticks?: (state: State, size: Size) => boolean
  /** Milliseconds since the epoch; default: the real time. */
  readonly now?: () => number
  /** Lets go of what the screen holds; the terminal is restored by then. */
  readonly close?: () => Promise<void> | void
}

/** The terminal that a screen is shown on. Both ends have to be terminals. */
export interface ScreenTerminal {
  /** Default: the process's own. */
  readonly stdin?: NodeJS.ReadStream | undefined
  readonly stdout?: NodeJS.WriteStream | undefined
}

/** Frames a second, at most: a key is never kept waiting for longer than 16 ms. */
const MAX_FPS = 120

interface ScreenViewProps<State> {
  readonly parts: ScreenParts<State, unknown>
  readonly press: ReturnType<typeof createPress>
  readonly asleep: Store<boolean>
  readonly readKeys: ReturnType<typeof createKeyReader>
  readonly colours: boolean
}

/** As its name and the environment say; the launcher sees to NO_COLOR and --no-color. */
function hasColours(stdout: Partial<NodeJS.WriteStream>): boolean {
  return (stdout.getColorDepth?.() ?? 1) > 1
}

function ScreenView<State>(props: ScreenViewProps<State>): ReactElement {
  const { parts, press, asleep, readKeys, colours } = props
  const { store, frame, ticks, now = Date.now } = parts
  const state = useSyncExternalStore(store.subscribe, store.get)
  const away = useSyncExternalStore(asleep.subscribe, asleep.get)
  const size = useTerminalSize()
  const time = useClock(now, !away && ticks?.(state, size) === true)
  useInput((input, key) => {
    for (const each of readKeys(input, key)) press(each, size)
  })
  // Nothing is drawn while the terminal is not ours, so that waking draws everything.
  return <FrameView lines={away ? [] : frame(state, size, time)} colours={colours} />
}

/**
 * Shows a screen in the alternate screen of the terminal until it is left: by itself, by SIGINT, SIGTERM or SIGHUP, by
 * a terminal that dies, or by an error. The terminal is restored in every case.
 * @param create makes the screen; what it is given leaves it, and only the first call counts
 * @returns the signal that ended it, if any; `process.exitCode` is set then
 * @throws the error that ended it
 */
export async function showScreen<State extends Front, Ports>(
  { stdin = process.stdin, stdout = process.stdout }: ScreenTerminal,
  keys: ScreenKeys<State, Ports>,
  create: (finish: (ending: Ending) => void) => ScreenParts<State, Ports>,
): Promise<EndingSignal | undefined> {
  let finish: (ending: Ending) => void = () => {}
  const ending = new Promise<Ending>(resolve => {
    finish = resolve
  })
  const asleep = createStore(false)
  const terminal = createTerminal(stdout)
  const { suspendJob, listen, unlisten } = createSuspend({
    terminal,
    stdin,
    setAsleep: on => asleep.update(() => on),
  })
  const restore = (): void => {
    terminal.leave()
    if (stdin.isTTY && !stdin.destroyed) stdin.setRawMode(false)
  }
  const ignore = watchEndings({ end: signal => finish({ signal }), restore })
  // A terminal that hung up fails its writes; the signal that comes with it ends the screen.
  const hungUp = (): void => finish({ signal: 'SIGHUP' })
  stdout.on('error', hungUp)
  listen()

  const parts = create(finish)
  const controls: Controls<State> = {
    store: parts.store,
    quit: interrupted => finish(interrupted ? { signal: 'SIGINT' } : {}),
    fail: error => finish({ error }),
    suspend: suspendJob,
    emit: sequence => stdout.write(sequence),
  }
  const press = createPress(keys, { ...parts.ports, ...controls })
  // Before the first frame: a key that is typed while it is made would be echoed into it.
  if (stdin.isTTY) stdin.setRawMode(true)
  terminal.enter()
  const view = { parts, press, asleep, readKeys: createKeyReader(), colours: hasColours(stdout) }
  const ink = render(<ScreenView {...view} />, {
    stdout: terminal.stdout,
    stdin,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: MAX_FPS,
  })
  ink.waitUntilExit().catch((error: unknown) => finish({ error }))

  const ended = await ending
  ink.unmount()
  restore()
  unlisten()
  await parts.close?.()
  ignore()
  stdout.off('error', hungUp)
  if ('error' in ended) throw ended.error
  if (ended.signal !== undefined) process.exitCode = signalExitCode(ended.signal)
  return ended.signal
}
