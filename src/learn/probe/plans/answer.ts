import { randomBytes } from 'node:crypto'
import type { Plan, RunPlan, Scene } from '../model.js'
import { byCode, RIGHT } from './parts.js'

function lie(
  wrong: string,
  member: string,
  value: (scene: Scene) => string | undefined,
): RunPlan & { wrong: string } {
  return {
    wrong,
    answer(answer, scene) {
      const told = new URL(answer)
      const changed = value(scene)
      if (changed === undefined) told.searchParams.delete(member)
      else told.searchParams.set(member, changed)
      return told
    },
  }
}

const stateOf = (request: URL | undefined): string => request?.searchParams.get('state') ?? ''

/** RFC 6749 §10.12. */
export const state: Plan = {
  ...byCode,
  runs: [
    { ...lie('the state of another login', 'state', ({ earlier }) => stateOf(earlier)), needsEarlier: true },
    lie('no state at all', 'state', () => undefined),
    lie('a state that nobody sent', 'state', () => randomBytes(16).toString('base64url')),
    ...[RIGHT, RIGHT, RIGHT],
  ],
  values: ({ scene, answer }) => [stateOf(scene.request), stateOf(answer)],
}

/** RFC 9207 §2.4. */
export const iss: Plan = {
  ...byCode,
  runs: [
    lie('the issuer of another server', 'iss', () => 'https://as.attacker.example'),
    lie('no iss at all', 'iss', () => undefined),
    lie('an issuer that begins like the right one', 'iss', ({ issuer }) => `${issuer}.attacker.example`),
    ...[RIGHT, RIGHT, RIGHT],
  ],
  values: ({ scene, answer }) => [scene.issuer, answer.searchParams.get('iss') ?? ''],
}
