import { TimeoutError, TransportError } from '../../protocol/errors.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Refusal } from './defence.js'
import { shownBy, visitNotes, writeNote } from './demo-client.js'
import type { Attack, AttackOutcome, AttackRecord } from './model.js'
import { grantRequest, memberOf, newRecordRequest } from './moves.js'
import { openStage, type Stage, type StageOptions } from './stage.js'
import { HONEST_CLIENT } from './victim.js'

/** The error for data of the victim that a lab does not take, such as a running one that limits logins. */
function notKept(kind: 'record' | 'note', { request, response }: Exchange): TransportError {
  const status = response?.status ?? 0
  const why = status === 429 ? 'it limits logins; try again in a minute' : `${request.url} answered ${status}`
  return new TransportError(`the lab did not keep a ${kind} of the victim: ${why}`, 'ERR_NOT_PLANTED')
}

/** Puts the word into a record of the victim, and into her notes. These exchanges are no part of the attack. */
async function plant({ scene, word }: Stage, { demoClient }: Attack): Promise<void> {
  const { victim, accounts } = scene
  const asked = { ...accounts.victim, scope: 'records:write' }
  const answer = await victim.send(grantRequest(scene, HONEST_CLIENT, 'password', asked))
  const token = memberOf(answer, 'access_token')
  const kept =
    token === undefined
      ? undefined
      : await victim.send(newRecordRequest(scene, token, `the key is under the ${word}`))
  if (kept?.response?.status !== 201) throw notKept('record', kept ?? answer)
  if (demoClient !== true) return
  // Another browser of the victim: the one of the attack is not logged in yet.
  const home = scene.anotherBrowser()
  const page = await visitNotes(scene, home, accounts.victim)
  const noted = await shownBy(home, await writeNote(home, page, `the key is under the ${word}`))
  if (!holds(noted, [word])) throw notKept('note', noted)
}

/** True when the data of the victim is in an answer. */
function holds(answer: Exchange | undefined, words: readonly string[]): boolean {
  const body = answer?.response?.body ?? ''
  return words.some(word => body.includes(word))
}

/** The end of an attack: stolen only by the last answer that the attacker's own agent received. */
function judge(
  attack: Attack,
  { weak }: Pick<StageOptions, 'weak'>,
  { scene, word }: Stage,
  refusal: Refusal | undefined,
): AttackOutcome {
  const last = scene.attacker.last()
  const common = {
    type: 'outcome',
    attack: attack.name,
    weak,
    would_not_help: attack.wouldNotHelp,
  } as const
  if (holds(last, [word, scene.secret])) {
    const [{ check, rule }] = attack.defences
    const detail = `in the answer to ${last!.request.method} ${last!.request.url.split('?', 1)[0]}`
    return { ...common, outcome: 'stolen', check, rule, detail }
  }
  if (refusal === undefined) {
    return {
      ...common,
      outcome: 'failed',
      check: '',
      rule: '',
      detail: 'the attack ended, and no check refused it',
    }
  }
  return { ...common, outcome: 'defended', ...refusal }
}

/** The end of an attack that was stopped by no check. @throws what is neither a failure of the network nor of a message */
function failure(attack: Attack, options: StageOptions, error: unknown): AttackOutcome {
  const about = { attack: attack.name, weak: options.weak, would_not_help: attack.wouldNotHelp }
  const failed = (check: string, detail: string): AttackOutcome => {
    return { type: 'outcome', outcome: 'failed', check, rule: '', detail, ...about }
  }
  if (options.signal.aborted) return failed('interrupted', 'the attack was interrupted')
  if (error instanceof TimeoutError) return failed('timeout', error.message)
  if (error instanceof TransportError) return failed(error.code, error.message)
  if (error instanceof OAuthError) return failed(error.code, error.description)
  throw error
}

/**
 * Runs an attack, and yields its steps and its outcome. The attacker's server and the attack's own lab stop at the end,
 * also when the consumer stops early.
 */
export async function* runAttack(
  attack: Attack,
  options: StageOptions,
): AsyncGenerator<AttackRecord, void, void> {
  const stage = await openStage(attack, options)
  try {
    await plant(stage, attack)
    const refusal = yield* attack.run(stage.scene)
    yield judge(attack, options, stage, refusal)
  } catch (error) {
    yield failure(attack, options, error)
  } finally {
    await stage.stop()
  }
}
