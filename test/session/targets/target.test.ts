import { describe, expect, it } from 'vitest'
import { outside, type Target, targetFrom, withTarget } from '../../../src/session/targets/target.js'

/** A target that counts how often it was stopped. */
function counted() {
  const stops = { count: 0 }
  const target: Target = {
    ...outside,
    address: 'https://id.example',
    stop: async () => {
      stops.count += 1
    },
  }
  return { target, stops }
}

const failing = async () => {
  throw new Error('no')
}

describe('withTarget', () => {
  it('returns the result of the work, and stops the target once', async () => {
    const { target, stops } = counted()
    const result = await withTarget(Promise.resolve(target), async ({ address }) => {
      expect(stops.count).toBe(0)
      return address
    })
    expect({ result, count: stops.count }).toEqual({ result: 'https://id.example', count: 1 })
  })

  it('stops the target when the work fails', async () => {
    const { target, stops } = counted()
    await expect(withTarget(Promise.resolve(target), failing)).rejects.toThrow('no')
    expect(stops.count).toBe(1)
  })
})

describe('targetFrom', () => {
  it('leaves the target running when the build succeeds', async () => {
    const { target, stops } = counted()
    expect(await targetFrom(target, ({ address }) => `${address}/dns`)).toBe('https://id.example/dns')
    expect(stops.count).toBe(0)
  })

  it('stops the target when the build fails', async () => {
    const { target, stops } = counted()
    await expect(targetFrom(Promise.resolve(target), failing)).rejects.toThrow('no')
    expect(stops.count).toBe(1)
  })
})
