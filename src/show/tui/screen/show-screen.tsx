import { render, Text, useInput, useStdout } from 'ink'
import { type ReactElement, useEffect, useState, useSyncExternalStore } from 'react'
import type { Line, Tone } from '../../render/text/spans.js'
import type { Controls, Front, ScreenKeys } from './key-rows.js'
import { createKeyReader } from './keys.js'
import { createPress } from './press.js'
import { type Size, sizeOf } from './size.js'
import { createStore, type Store } from './store.js'
import { createSuspend, createTerminal, type EndingSignal, signalExitCode, watchEndings } from './terminal.js'

/** How a screen was left. */
type Ending = { readonly signal?: EndingSignal; readonly error?: unknown }

/** A screen: a state, its frame, and what its keys act on. */
interface ScreenParts<State, Ports> {
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

/** A frame, and whether the terminal has colours. */
interface FrameViewProps {
  readonly lines: readonly Line[]
  readonly colours?: boolean
}

/**
 * Paints a frame. Its lines are cut already, so nothing is left for Ink to lay out: one text takes far less time than an
 * element for each span.
 */
export function FrameView({ lines, colours = true }: FrameViewProps): ReactElement {
  return <Text wrap="truncate">{lines.map(line => paint(line, colours)).join('\n')}</Text>
}

/** A line as a terminal takes it, with or without colours. Its text has to be safe. */
export function paint(line: Line, colours: boolean): string {
  return line
    .map(({ text, tone }) => {
      const look = colours && text !== '' ? THEME[tone] : undefined
      return look === undefined ? text : `\x1b[${look[0]}m${text}\x1b[${look[1]}m`
    })
    .join('')
}

/**
 * Switches a style on and off: parameters of SGR, the control sequence for colours and the like (ECMA-48 §8.3.117).
 */
type Look = readonly [on: string, off: string]

/**
 * The style of each tone. The terminal's own foreground and its named colours, so that light and dark terminals both
 * stay readable; a colour never says what a sign or word does not.
 */
export const THEME: Readonly<Record<Tone, Look | undefined>> = {
  plain: undefined,
  dim: ['2', '22'],
  strong: ['1', '22'],
  title: ['1', '22'],
  name: ['36', '39'],
  done: ['32', '39'],
  now: ['1;36', '22;39'],
  look: ['33', '39'],
  refused: ['1;31', '22;39'],
  hit: ['7', '27'],
}

/** The time in milliseconds. It moves once a second while `ticking`, else it stays the same. */
function useClock(now: () => number, ticking: boolean): number {
  const [, setTick] = useState(0)
  useEffect(() => {
    if (!ticking) return
    const timer = setInterval(() => setTick(tick => tick + 1), 1000)
    return () => clearInterval(timer)
  }, [ticking])
  return now()
}

/** The size of the terminal, followed as it changes. */
function useTerminalSize(): Size {
  const { stdout } = useStdout()
  const [size, setSize] = useState(() => sizeOf(stdout))
  useEffect(() => {
    const read = () => setSize(sizeOf(stdout))
    stdout.on('resize', read)
    return () => {
      stdout.off('resize', read)
    }
  }, [stdout])
  return size
}
