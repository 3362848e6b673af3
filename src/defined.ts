/** An object without its undefined members: a member that may be undefined becomes optional. */
export type Defined<T> = {
  readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name]
} & {
  readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
}

/** Returns a copy of an object without the members whose value is undefined, in the same order. */
export function defined<const T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>
}
