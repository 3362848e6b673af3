/** A change with these arguments, of whatever state a screen is in. */
export const by =
  <State, Args extends readonly unknown[]>(change: (state: State, ...args: Args) => State, ...args: Args) =>
  (state: State): State =>
    change(state, ...args)

/** A change of some members of the state. */
export const set =
  (members: object) =>
  <State>(state: State): State => ({ ...state, ...members })
