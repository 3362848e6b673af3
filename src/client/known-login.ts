import type { AskLogin, LoginAnswer } from './login.js'

/** A user whose password is known. */
export interface KnownUser {
  readonly username: string
  readonly password: string
}

/** Answers with the credentials once, and once more for each further request. Cancels the login after a refusal. */
export function answerOnce({ username, password }: KnownUser): AskLogin {
  let answered = false
  return async ({ again, message, oneTimeCode }): Promise<LoginAnswer> => {
    if (oneTimeCode) return { kind: 'cancel' }
    if (answered && (!again || message !== undefined)) return { kind: 'cancel' }
    answered = true
    return { kind: 'credentials', username, password }
  }
}

/** Answers with the credentials once. Asks `next` after a refusal. */
export function answerFirst(user: KnownUser, next: AskLogin): AskLogin {
  const once = answerOnce(user)
  return async prompt => {
    const answer = await once(prompt)
    return answer.kind === 'cancel' ? next(prompt) : answer
  }
}

/** Cancels every login. */
export const answerNever: AskLogin = async () => ({ kind: 'cancel' })
