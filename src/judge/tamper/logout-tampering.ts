import type { LogoutErrand, LogoutVisit, UserAgent } from '../../client/user-agent.js'
import { type LogoutRequest, withPairs } from '../../protocol/oauth/logout-request.js'
import { changeQuery } from './messages.js'
import type { Move, Situation } from './move.js'

/** The part of a wrong move that changes a logout. */
export interface LogoutTampering {
  /** Logs out by a user agent, with the move in the request or in the return. */
  follow(agent: UserAgent, errand: LogoutErrand): AsyncGenerator<LogoutVisit, void, void>
  /** Returns the address at which the browser came back. */
  returnedTo(): string | undefined
  /** Returns why the request could not be changed; undefined where it could. */
  notMade(): string | undefined
}

/** Prepares the logout of one run. A move about another message leaves it as it is. */
export function tamperWithLogout(move: Move, situation: Situation): LogoutTampering {
  let returned: string | undefined
  let problem: string | undefined

  const changed = async (request: LogoutRequest): Promise<LogoutRequest> => {
    if (move.at !== 'logout_request') return request
    const pairs = await move.change(request.pairs, situation)
    if (!('problem' in pairs)) return withPairs(request, pairs)
    problem = pairs.problem
    return request
  }

  return {
    async *follow(agent, errand) {
      if (!agent.logout) throw new Error('this user agent cannot log out')
      const request = await changed(errand.request)
      for await (const visit of agent.logout({ ...errand, request })) {
        const { landed } = visit
        if (landed === undefined) {
          yield visit
          continue
        }
        returned = move.at === 'logout_response' ? changeQuery(landed, move.change) : landed
        yield { ...visit, landed: returned }
      }
    },
    returnedTo: () => returned,
    notMade: () => problem,
  }
}
