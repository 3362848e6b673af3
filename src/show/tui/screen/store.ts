/** A state that can be watched. */
export interface Source<State> {
  readonly get: () => State
  /** Returns the function that ends the subscription. */
  readonly subscribe: (listener: () => void) => () => void
}

/** A state with one way to change it. */
export interface Store<State, Action> extends Source<State> {
  readonly dispatch: (action: Action) => void
}

/** Keeps a state outside React, so that a flow that is under way and a key see the same one. */
export function createStore<State, Action>(
  reduce: (state: State, action: Action) => State,
  initial: State,
): Store<State, Action> {
  let state = initial
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    dispatch: action => {
      const next = reduce(state, action)
      if (next === state) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
