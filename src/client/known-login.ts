import type { AskLogin, LoginAnswer } from './login.js'

/** A user whose password is known. */
export interface KnownUser {
  readonly username: string
  readonly password: string
}

/** Logs in once. After a refusal there is nothing else to answer. */
export function answerOnce({ username, password }: KnownUser): AskLogin {
  let answered = false
  return async (): Promise<LoginAnswer> => {
    if (answered) return { kind: 'cancel' }
    answered = true
    return { kind: 'credentials', username, password }
  }
}

/** Logs in once, and asks `next` after a refusal. */
export function answerFirst(user: KnownUser, next: AskLogin): AskLogin {
  const once = answerOnce(user)
  return async prompt => {
    const answer = await once(prompt)
    return answer.kind === 'cancel' ? next(prompt) : answer
  }
}

/** Answers no login form. */
export const answerNever: AskLogin = async () => ({ kind: 'cancel' })
