import { useInput } from 'ink'
import type { ReactElement } from 'react'
import { useSyncExternalStore } from 'react'
import { tokenTicks } from '../../render/token-lines.js'
import { FrameView } from '../screen/frame-view.js'
import type { KeyPress } from '../screen/keys.js'
import type { Store } from '../screen/store.js'
import { useClock } from '../screen/use-clock.js'
import { useTerminalSize } from '../screen/use-terminal-size.js'
import type { Action } from './actions.js'
import { frameOf } from './frame.js'
import type { FrameContext } from './header.js'
import type { Size } from './layout.js'
import { arrangementOf } from './layout.js'
import { shownToken } from './pane-lines.js'
import type { FlowState } from './state.js'

/** What the flow screen is given. */
export interface FlowAppProps {
  readonly store: Store<FlowState, Action>
  readonly context: Omit<FrameContext, 'now'>
  readonly now: () => number
  readonly readKeys: (input: string, key: Parameters<Parameters<typeof useInput>[0]>[1]) => KeyPress[]
  readonly press: (press: KeyPress, size: Size) => void
}

/** Whether a countdown can be seen. */
function counts(state: FlowState, size: Size): boolean {
  const arrangement = arrangementOf(size)
  if (state.asleep || state.help || state.login || arrangement === 'tooSmall') return false
  const token = shownToken(state)
  return token !== undefined && tokenTicks(token) && (arrangement === 'wide' || state.lower === 'token')
}

/** The flow screen: the store's state as a frame, and keys handed on. */
export function FlowApp({ store, context, now, readKeys, press }: FlowAppProps): ReactElement {
  const state = useSyncExternalStore(store.subscribe, store.get)
  const size = useTerminalSize()
  const time = useClock(now, counts(state, size))
  useInput((input, key) => {
    for (const each of readKeys(input, key)) press(each, size)
  })
  return <FrameView lines={state.asleep ? [] : frameOf(state, size, { ...context, now: time })} />
}
