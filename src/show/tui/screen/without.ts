/** The state without some of its members. */
export function without<State extends object, Key extends keyof State>(
  state: State,
  ...keys: readonly Key[]
): Omit<State, Key> {
  const rest = { ...state }
  for (const key of keys) delete rest[key]
  return rest
}
