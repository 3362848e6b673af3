import type { TokenReviewStatus } from '../shapes.js'
import type { ServiceAccountToken } from './service-account-token.js'
import { mintCommand } from './service-account-token.js'

/** The explanation of a token review. */
export interface ReviewExplanation {
  readonly authenticated: boolean
  /** One line with the user, or with the reason of the refusal. */
  readonly verdict: string
  /** More lines. */
  readonly notes: readonly string[]
  /** The command that fixes the problem, as a list of arguments. Text of the token must be quoted for a shell. */
  readonly fix?: readonly string[]
}

/** The audiences of the review, and the token when it is readable. */
interface ReviewQuestion {
  readonly audiences: readonly string[]
  readonly token?: ServiceAccountToken | undefined
}

type Meaning = Pick<ReviewExplanation, 'fix' | 'verdict'> & Partial<Pick<ReviewExplanation, 'notes'>>

type Explain = (match: RegExpExecArray, question: ReviewQuestion) => Meaning

/** Returns the command for another token of the same account. It is a template when the token is unreadable. */
const mintAgain = ({ token }: ReviewQuestion, audiences?: readonly string[]): string[] =>
  token === undefined ? ['oauth-lab', 'k8s', 'token', 'ACCOUNT'] : mintCommand(token, audiences)

/** Reads a list such as `["api" "other"]`, as Go prints it. */
const quotedList = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) => word!)

const MEANINGS: readonly (readonly [error: RegExp, explain: Explain])[] = [
  [
    /token audiences \[(.*?)\] is invalid for the target audiences \[(.*?)\]/,
    (match, question) => {
      const has = quotedList(match[1] ?? '')
      const wanted = quotedList(match[2] ?? '')
      return {
        verdict: `it is for another audience: it has ${has.join(', ') || 'none'}, the review wants ${wanted.join(', ')}`,
        notes:
          question.audiences.length === 0
            ? ['A review without --audience is one for the API server itself.']
            : [],
        fix: mintAgain(question, [...new Set([...has, ...wanted])]),
      }
    },
  ],
  [
    /service account token has expired/,
    (_, question) => ({
      verdict: 'it has expired',
      notes: [
        'A file that the kubelet keeps is renewed at 80 % of its lifetime: read it again before each use.',
      ],
      fix: mintAgain(question),
    }),
  ],
  [
    /is not valid yet|is issued in the future/,
    () => ({
      verdict: 'it is from the future',
      notes: ['Compare the clocks of both machines; 60 s are forgiven.'],
    }),
  ],
  [
    /service account UID \((.*?)\) does not match claim \((.*?)\)/,
    (match, question) => ({
      verdict: 'its account was deleted and made again under the same name',
      notes: [`uid now       ${match[1]}`, `uid in token  ${match[2]}`],
      fix: mintAgain(question),
    }),
  ],
  [
    /(pod|secret|node) UID \((.*?)\) does not match service account \w+ ref claim \((.*?)\)/i,
    (match, question) => ({
      verdict: `the ${match[1]?.toLowerCase()} it is bound to was deleted and made again under the same name`,
      notes: [`uid now       ${match[2]}`, `uid in token  ${match[3]}`],
      fix: mintAgain(question),
    }),
  ],
  [
    /serviceaccounts "(.*?)" not found/,
    (match, { token }) => ({
      verdict: `its service account ${match[1]} is gone`,
      notes: ['A new account of that name has another uid: old tokens stay invalid.'],
      fix: [
        'oauth-lab',
        'k8s',
        'accounts',
        'create',
        match[1] ?? '',
        ...(token ? ['-n', token.namespace] : []),
      ],
    }),
  ],
  [
    /service account token has been invalidated/,
    (_, { token }) => {
      const bound = token?.boundTo
      return {
        verdict: bound
          ? `the ${bound.kind} ${bound.name} it is bound to is gone`
          : 'what it is bound to is gone',
        notes: ['A bound token dies with its object.'],
        fix: token
          ? mintCommand(token, undefined, { bound: false })
          : ['oauth-lab', 'k8s', 'token', 'ACCOUNT'],
      }
    },
  ],
  [
    /error in cryptographic primitive/,
    () => ({
      verdict: 'its signature is not by a key of this cluster',
      notes: ['It was altered, cut when copied, or signed by somebody else.'],
    }),
  ],
  [
    /no keys found/,
    () => ({
      verdict: 'its kid names no key of this cluster',
      notes: ['It is of another cluster, or the key was rotated out.'],
      fix: ['oauth-lab', 'k8s', 'jwks'],
    }),
  ],
]

/** The error without a reason: the token itself may show one. */
function bareRefusal({ token, audiences }: ReviewQuestion): Meaning {
  const verdict = 'this cluster does not know it'
  if (token === undefined) {
    return {
      verdict,
      notes: [
        'It is no service account token: garbage, a static token, or one of another kind.',
        ...(audiences.length > 0
          ? ['Other tokens than those of service accounts are for the API server alone.']
          : []),
      ],
    }
  }
  return {
    verdict,
    notes: [`Its issuer is ${token.issuer ?? 'not named'}: is that this cluster?`],
    fix: ['oauth-lab', 'k8s', 'discovery'],
  }
}

/** Returns warnings about an accepted review that a check of `authenticated` alone would miss. */
function cautions({ user, audiences }: TokenReviewStatus, question: ReviewQuestion): string[] {
  const notes: string[] = []
  if (user?.username === 'system:anonymous') {
    notes.push('authenticated as system:anonymous: that is nobody. Always check the username too.')
  }
  if (question.audiences.length > 0 && (audiences ?? []).length === 0) {
    notes.push('The answer names no audiences: this server did not check them. Refuse such a token.')
  }
  return notes
}

/** Explains the status of a token review. */
export function explainReview(status: TokenReviewStatus, question: ReviewQuestion): ReviewExplanation {
  if (status.authenticated === true) {
    const username = status.user?.username ?? ''
    const verdict = username || 'authenticated, without a username'
    return { authenticated: true, verdict, notes: cautions(status, question) }
  }
  const error = status.error ?? ''
  for (const [pattern, explain] of MEANINGS) {
    const match = pattern.exec(error)
    if (match) return { authenticated: false, notes: [], ...explain(match, question) }
  }
  return { authenticated: false, notes: [], ...bareRefusal(question) }
}
