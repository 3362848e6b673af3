import { beforeAll, describe, expect, it } from 'vitest'
import { attacks } from '../../../../src/judge/attacks/attacks.js'
import type { Attack, AttackOutcome, AttackRecord } from '../../../../src/judge/attacks/model.js'
import { runAttack } from '../../../../src/judge/attacks/run.js'
import { memoryState } from '../../../../src/lab/state/memory-state.js'
import { type Cell, cellsOf } from '../../../support/attack-cells.js'

// One state for all runs: its authority and keys are made once.
const home = memoryState()

/** Runs at the same time: one waits for its signatures while another one works. */
const TOGETHER = 4

/** Milliseconds for the cells of one attack, on a machine that does other work too. */
const PATIENCE = 300_000

async function recordsOf(attack: Attack, weak: Cell['weak']): Promise<AttackRecord[]> {
  const records: AttackRecord[] = []
  const { signal } = new AbortController()
  for await (const record of runAttack(attack, { weak, signal, home })) records.push(record)
  return records
}

async function endOf(attack: Attack, weak: Cell['weak']): Promise<AttackOutcome> {
  const last = (await recordsOf(attack, weak)).at(-1)
  if (last?.type !== 'outcome') throw new Error('an attack ends with its outcome')
  return last
}

describe('the table of attacks and modes', () => {
  it.each(attacks.map(attack => [attack.name, attack] as const))(
    '%s',
    async (_, attack) => {
      const expected = cellsOf(attack)
      const ends: Pick<AttackOutcome, 'weak' | 'outcome' | 'check'>[] = []
      for (let at = 0; at < expected.length; at += TOGETHER) {
        const cells = expected.slice(at, at + TOGETHER)
        ends.push(...(await Promise.all(cells.map(({ weak }) => endOf(attack, weak)))))
      }
      expect(ends.map(({ weak, outcome, check }) => ({ weak, outcome, check }))).toEqual(expected)
    },
    PATIENCE,
  )
})

describe('a strict run', () => {
  const stolenCode = attacks[0]!
  let records: readonly AttackRecord[]
  beforeAll(async () => {
    records = await recordsOf(stolenCode, [])
  })

  it('ends with the rule of the real refusal, and yields only steps of the plan before', () => {
    expect(records.at(-1)).toMatchObject({
      outcome: 'defended',
      check: 'redirect_uri',
      rule: 'RFC 9700 §4.1.3',
    })
    const planned = new Set(stolenCode.plan.map(each => each.name))
    for (const record of records.slice(0, -1)) {
      expect(record).toMatchObject({ type: 'step', of: stolenCode.plan.length })
      expect(planned).toContain(record.type === 'step' && record.name)
    }
  })

  it('never lets the attacker see the planted word', () => {
    const seen = JSON.stringify(records)
    expect(seen).not.toMatch(/rabbit-|teapot-/)
  })
})

describe('a weak run', () => {
  it('ends with the victim’s own words in the last answer to the attacker', async () => {
    const records = await recordsOf(attacks[0]!, ['redirect-any'])
    const last = records.at(-2)
    expect(last?.type === 'step' && last.from).toBe('attacker')
    expect(last?.type === 'step' && last.exchange?.response?.body).toMatch(
      /the key is under the rabbit-[0-9a-f]{16}/,
    )
    const body = last?.type === 'step' ? (last.exchange?.response?.body ?? '') : ''
    expect(JSON.parse(body).records).toHaveLength(1)
  })
})
