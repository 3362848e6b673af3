import { render, useInput, useStdout } from 'ink'
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import type { Line } from '../../render/text/spans.js'
import { behindHelp, helpOf } from './help.js'
import {
  type Controls,
  carryOut,
  type Front,
  type KeyTable,
  type Press,
  type ScreenKeys,
} from './key-rows.js'
import { createKeyReader, type KeyPress } from './keys.js'
import { pressInPicker } from './picker.js'
import { type Size, sizeOf } from './size.js'
import { createStore, type Store, without } from './store.js'
import { createSuspend, createTerminal, type EndingSignal, signalExitCode, watchEndings } from './terminal.js'

/** Carries out a key press on the help page: a list whose choice is pressed as a key of the screen behind it. */
function pressInHelp<State extends Front, Ports>(
  keys: KeyTable<State, Press<State, Ports>>,
  on: Press<State, Ports>,
): void {
  const { store, state } = on
  const { entries, picking } = helpOf(keys, state)
  const close = (): void => store.update(behindHelp)
  const choose = (index: number): void => {
    const { key, off } = entries[index]!
    if (off !== undefined) store.update(now => ({ ...now, notice: { text: off, good: false } }))
    else {
      close()
      carryOut(keys, { ...on, key, press: { name: key, text: '' }, state: store.get() })
    }
  }
  if (on.key === '?' && !picking.typing) close()
  else
    pressInPicker(on, entries, {
      picking,
      choose,
      close,
      change: next => store.update(now => ({ ...now, help: { ...now.help, ...next } })),
    })
}

/** Makes the function that carries out a key press. */
function createPress<State extends Front, Ports>(
  { keys, inFront }: ScreenKeys<State, Ports>,
  ports: Ports & Controls<State>,
): (press: KeyPress, size: Size) => void {
  const { store } = ports
  return (press, size) => {
    if (store.get().notice !== undefined) store.update(state => without(state, 'notice') as State)
    const state = store.get()
    const on = { ...ports, press, key: press.name, state, size }
    if (inFront?.(on)) return
    if (state.page === 'help') pressInHelp(keys, on)
    else carryOut(keys, on)
  }
}

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

interface ScreenViewProps<State> {
  readonly parts: ScreenParts<State, unknown>
  readonly press: ReturnType<typeof createPress>
  readonly asleep: Store<boolean>
  readonly readKeys: ReturnType<typeof createKeyReader>
  readonly draw: (lines: readonly Line[]) => void
}

/** Reads the keys, and draws the frame of each state itself: Ink would write all of its lines for one that changed. */
function ScreenView<State>(props: ScreenViewProps<State>): null {
  const { parts, press, asleep, readKeys, draw } = props
  const { store, frame, ticks, now = Date.now } = parts
  const state = useSyncExternalStore(store.subscribe, store.get)
  const away = useSyncExternalStore(asleep.subscribe, asleep.get)
  const size = useTerminalSize()
  const time = useClock(now, !away && ticks?.(state, size) === true)
  useInput((input, key) => {
    for (const each of readKeys(input, key)) press(each, size)
  })
  useLayoutEffect(() => {
    // Nothing is drawn while the terminal is not ours.
    if (!away) draw(frame(state, size, time))
  })
  return null
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
  const view = { parts, press, asleep, readKeys: createKeyReader(), draw: terminal.draw }
  const ink = render(<ScreenView {...view} />, {
    stdout: terminal.stdout,
    stdin,
    exitOnCtrlC: false,
    patchConsole: false,
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
