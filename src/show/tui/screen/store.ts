/** A state that can be watched. */
export interface Source<State> {
  readonly get: () => State
  /** Returns the function that ends the subscription. */
  readonly subscribe: (listener: () => void) => () => void
}

/** A state with one way to change it. */
export interface Store<State> extends Source<State> {
  /** Replaces the state by the next one. The same object changes nothing. */
  readonly update: (next: (state: State) => State) => void
}

/** Keeps a state outside React, so that a flow that is under way and a key see the same one. */
export function createStore<State>(initial: State): Store<State> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    update(change) {
      const next = change(state)
      if (next === state) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The state without some of its members. */
export function without<State extends object, Key extends keyof State>(
  state: State,
  ...keys: readonly Key[]
): Omit<State, Key> {
  const rest = { ...state }
  for (const key of keys) delete rest[key]
  return rest
}
