import type { ClientEntry } from '../../lab/schema/lab-file-schema.js'

/** The attacker's own client: registered like any other, and never allowed by alice. */
const QUIZ = 'free-quiz'

/** At a running lab, the attacker runs the single-page application, which alice has not allowed either. */
export const quizPart = { standIn: 'demo-spa' } as const

/** The registration of the quiz, whose codes go to the attacker's server. */
export function quizEntry(site: string): ClientEntry {
  return {
    client_id: QUIZ,
    client_name: 'Free quiz',
    redirect_uris: [`${site}/catch`],
    grant_types: ['authorization_code'],
    response_types: ['code'],
  }
}
