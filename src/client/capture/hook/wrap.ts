type Method = (this: object, ...given: unknown[]) => unknown

/**
 * Puts a function before a method of a prototype. The method gets the same `this` and arguments, and its result and errors are the
 * caller's. A method of an ancestor is looked up at each call, so that other tools may replace it later.
 */
export function before(
  prototype: object,
  name: string,
  work: (self: object, given: unknown[]) => void,
): void {
  const own = Object.getOwnPropertyDescriptor(prototype, name)
  const inherited = () => (Object.getPrototypeOf(prototype) as Record<string, Method>)[name] as Method
  const original = own === undefined ? undefined : (own.value as Method)
  const sample = original ?? inherited()
  if (typeof sample !== 'function') return
  function wrapped(this: object, ...given: unknown[]): unknown {
    work(this, given)
    return (original ?? inherited()).apply(this, given)
  }
  Object.defineProperty(wrapped, 'name', { value: sample.name, configurable: true })
  Object.defineProperty(wrapped, 'length', { value: sample.length, configurable: true })
  Object.defineProperty(prototype, name, {
    value: wrapped,
    writable: true,
    configurable: true,
    enumerable: own?.enumerable ?? false,
  })
}
