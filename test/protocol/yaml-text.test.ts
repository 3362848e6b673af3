import { describe, expect, it } from 'vitest'
import { parseYaml } from '../../src/protocol/yaml-text.js'

const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')

const refusal = (text: string, limit?: number): Promise<string> =>
  parseYaml(text, limit).then(
    () => 'accepted',
    (error: Error) => error.message,
  )

/** Milliseconds of the processor, so that a busy machine does not count. */
async function cost(text: string): Promise<number> {
  const before = process.cpuUsage()
  await refusal(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('a YAML text', () => {
  it('gives its value: aliases, own keys called __proto__, strings that only look like dates and booleans', async () => {
    const { value } = await parseYaml(
      'a: &x { b: [1, null, off, 2026-01-01, 0x10] }\nc: *x\n__proto__: 1\n7: { ? k : v }\n? &k key\n: *k\n',
    )
    const b = [1, null, 'off', '2026-01-01', 16]
    expect(value).toEqual(
      JSON.parse(
        JSON.stringify({ a: { b }, c: { b }, 7: { k: 'v' }, key: 'key' }).replace('{', '{"__proto__":1,'),
      ),
    )
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect((await parseYaml('')).value).toBeNull()
    // The last anchor of a name before the alias counts (YAML 1.2.2 §7.1).
    expect((await parseYaml('[&a 1, *a, &a 2, *a]')).value).toEqual([1, 1, 2, 2])
  })

  it.each([
    ['a: 1\n"a": 2', 'Map keys must be unique'],
    ['1: a\n"1": b', 'Map keys must be unique'],
    ['? [a]\n: b', 'Map keys must be scalars'],
    ['- *a\n- &a 1', 'the alias *a has no anchor before it'],
    ['&a [*a]', 'the alias *a stands inside its own anchor'],
    ['a: [', 'Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ['a\n---\nb', 'it holds several documents'],
    ['['.repeat(300), 'it is nested too deep'],
    [lines(1001, i => `- &a${i} x`), 'it has more than 1000 anchors'],
    [lines(1001, () => '- &a x'), 'it has more than 1000 anchors'],
    [lines(200_000, () => '- a'), 'it has more than 400000 keys, values and marks'],
  ])('is refused: %.20j', async (text, message) => expect(await refusal(text)).toBe(message))

  it('has a limit of its caller on keys, values and marks', async () => {
    expect(
      await refusal(
        lines(100, i => `k${i}: 1`),
        1000,
      ),
    ).toBe('accepted')
    expect(
      await refusal(
        lines(200, i => `k${i}: 1`),
        1000,
      ),
    ).toMatch(/more than 1000 keys/)
  })

  it('may not multiply by its aliases', async () => {
    const bomb = lines(
      12,
      i =>
        `a${i}: &a${i} [${Array(9)
          .fill(i === 0 ? 'x' : `*a${i - 1}`)
          .join()}]`,
    )
    expect(await refusal(bomb)).toBe('its aliases stand for too much content')
    const long = `- &a ${'x'.repeat(10_000)}\n${lines(200, () => '- *a')}`
    expect(await refusal(long)).toBe('its aliases stand for too much content')
  })

  it.each([
    ['distinct keys', lines(40_000, i => `key-number-${i}: 1`)],
    ['keys of a flow map', `{${lines(40_000, i => `key-number-${i}: 1,`)}}`],
    ['repeated anchors with aliases', lines(20_000, () => '- &a x\n- *a')],
    ['aliases in nested anchors', lines(900, i => `- &a${i} [${i === 0 ? 'x' : `*a${i - 1}`}]`)],
  ])('of many %s costs little time', async (_, text) => expect(await cost(text)).toBeLessThan(4000))
})
