import { CURL } from './curl-lines.js'
import { inOrder } from './engine/vocabulary.js'
import type { Lesson } from './model.js'

/** A request of curl to the API server, as the administrator of the lab. */
const KUBE = `${CURL} -H "Authorization: Bearer lab-admin-token" -H "Content-Type: application/json"`

const TOKEN_URL = '"$CLUSTER/api/v1/namespaces/lab/serviceaccounts/demo/token"'
const REVIEW_URL = '"$CLUSTER/apis/authentication.k8s.io/v1/tokenreviews"'
const PODS_URL = '"$CLUSTER/api/v1/namespaces/lab/pods'

/** Lines that put a token of lab/demo for vault into `$token`. @param more further members of the request's spec */
const requestLines = (more = ''): string[] => [
  `answer=$(${KUBE} ${TOKEN_URL} \\`,
  `  -d '{"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1","spec":{"audiences":["vault"]${more}}}')`,
  `token=$(printf '%s' "$answer" | tr -d ' \\n' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`,
]

/** The lines that ask the cluster about `$token`. */
const reviewLines = (audience: string): string[] => [
  `${KUBE} ${REVIEW_URL} \\`,
  `  -d '{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","spec":{"token":"'"$token"'","audiences":["${audience}"]}}'`,
]

const POD =
  '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"mine"},"spec":{"serviceAccountName":"demo","containers":[{"name":"main","image":"none"}]}}'

/** Requests a token for vault and keeps it in the file t. */
const KEEP = 'oauth-lab k8s token demo -n lab --audience vault > t'

const NONE_FOR_VAULT = 'There is no service account token for vault yet.'
const NOT_ELSEWHERE =
  'The token for vault is there. Nobody has asked the cluster about it for another audience yet.'
const ACCEPTED = 'That review named the audience of the token, so the cluster accepted it. Name another one.'
const UNREADABLE = 'The cluster did not know that token at all: it was cut, or it is of another kind.'

const CREATE = 'oauth-lab k8s pods create mine -n lab --account demo'
const BIND = 'oauth-lab k8s token demo -n lab --audience vault --bind pod/mine > t'
const REVIEW = 'oauth-lab k8s review @t --audience vault'
const DELETE = 'oauth-lab k8s pods delete mine -n lab'
const NOT_BOUND = 'There is no token that is bound to the pod mine yet.'
const NOT_REVIEWED = 'The token is bound to the pod. Let the cluster review it once while the pod is there.'
const POD_LIVES = 'The token is good, because its pod is there. Delete the pod.'

export const lesson: Lesson = {
  name: '24-service-accounts',
  title: 'Service accounts: tokens for programs in a cluster',
  minutes: 8,
  after: ['11-audience'],
  needs: { client: 'demo', user: 'alice', serve: true },
  opening: [
    'A Kubernetes cluster runs programs in pods. Each pod acts as a service account, and its API server issues tokens for that account: no login, no browser, no client secret. Another server, such as vault, asks the cluster whose a token is: a token review.',
  ],
  prediction: {
    question:
      'A pod has a token of its service account for the audience vault. A server named billing gets it, and asks the cluster about it. What does the cluster answer?',
    options: [
      {
        text: 'It is good: the cluster signed it, and every server in the cluster trusts it.',
        misconception: 'own: a service-account token is good everywhere',
        reply: 'It is good at its audience alone. The review asks for billing, and billing is not in it.',
      },
      {
        text: 'Not authenticated: the token is for another audience.',
        reply: 'The claim aud holds for service accounts as for any other token.',
      },
      {
        text: 'It is good until it expires: the signature holds.',
        misconception: 'signed-means-valid',
        reply: 'The signature holds, and it is still the wrong reader. A deleted pod ends it early, too.',
      },
    ],
  },
  tasks: [
    {
      name: 'audience',
      say: [
        'Request a token for vault into a file, and let the cluster review it as billing would. In another terminal, because > needs a shell:',
        `  ${KEEP}`,
        '  oauth-lab k8s review @t --audience billing',
      ],
      check: inOrder(
        {
          event: 'cluster.token_requested',
          where: { audiences: { has: 'vault' } },
          anyone: true,
          why: NONE_FOR_VAULT,
        },
        {
          event: 'cluster.token_reviewed',
          where: { authenticated: false, error: { includes: 'audience' } },
          same: ['token'],
          anyone: true,
          why: NOT_ELSEWHERE,
        },
      ),
      mistakes: [
        {
          event: 'cluster.token_reviewed',
          where: { authenticated: true },
          anyone: true,
          why: ACCEPTED,
          again: 'Accepted again. The token is for vault; the review must be for billing.',
        },
        {
          event: 'cluster.token_reviewed',
          where: { authenticated: false, error: 'invalid bearer token' },
          anyone: true,
          why: UNREADABLE,
          again: 'Still not a token of this cluster. Review the file t as it was written: @t.',
        },
      ],
      hints: {
        question: 'Which two requests name an audience, and which one must differ?',
        place: 'spec.audiences of the TokenRequest, and spec.audiences of the TokenReview.',
        line: 'oauth-lab k8s review @t --audience billing',
      },
      solutions: {
        cli: [KEEP, 'oauth-lab k8s review @t --audience billing'],
        curl: [...requestLines(), ...reviewLines('billing')],
      },
      nearMisses: [
        { name: 'a review for the right audience', lines: [KEEP, REVIEW], why: ACCEPTED },
        { name: 'a token that nobody reviews', lines: [KEEP], why: NOT_ELSEWHERE },
        {
          name: 'a text that is not a token',
          lines: [KEEP, 'echo a.b.c | oauth-lab k8s review - --audience billing'],
          why: UNREADABLE,
        },
      ],
    },
    {
      name: 'bound',
      say: [
        'A token can be bound to a pod. Make one for a pod of your own, review it, delete the pod, and review the same token again:',
        `  ${CREATE}`,
        `  ${BIND}`,
        `  ${REVIEW}`,
        `  ${DELETE}`,
        `  ${REVIEW}`,
      ],
      check: inOrder(
        {
          event: 'cluster.token_requested',
          where: { bound_to: 'Pod/mine' },
          anyone: true,
          why: NOT_BOUND,
        },
        {
          event: 'cluster.token_reviewed',
          where: { authenticated: true },
          same: ['token'],
          anyone: true,
          why: NOT_REVIEWED,
        },
        { event: 'cluster.object_deleted', where: { name: 'mine' }, anyone: true, why: POD_LIVES },
        {
          event: 'cluster.token_reviewed',
          where: { authenticated: false },
          anyone: true,
          why: 'The pod is gone. Review the same token once more.',
        },
      ),
      mistakes: [
        {
          event: 'cluster.request_refused',
          where: { message: { includes: 'different serviceaccount' } },
          anyone: true,
          why: 'The pod runs as another service account than the token is for. Create it with --account demo.',
          again: 'Still another account. Delete the pod mine, and create it with --account demo.',
        },
        {
          event: 'cluster.request_refused',
          where: { message: { includes: 'not found' } },
          anyone: true,
          why: 'The cluster does not know that pod. It has to be there before a token is bound to it.',
          again: 'Still no such pod: oauth-lab k8s pods list -A shows those that are there.',
        },
      ],
      hints: {
        question: 'Where does the token name the pod, and who checks that the pod is still there?',
        place: 'spec.boundObjectRef of the TokenRequest; the cluster searches for the pod in each review.',
        line: BIND,
      },
      solutions: {
        cli: [CREATE, BIND, REVIEW, DELETE, REVIEW],
        curl: [
          `${KUBE} ${PODS_URL}" -d '${POD}'`,
          ...requestLines(',"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"mine"}'),
          ...reviewLines('vault'),
          `${KUBE} -X DELETE ${PODS_URL}/mine"`,
          ...reviewLines('vault'),
        ],
      },
      nearMisses: [
        {
          name: 'a token that is bound to nothing',
          lines: [CREATE, KEEP, REVIEW, DELETE, REVIEW],
          why: NOT_BOUND,
        },
        { name: 'a pod that stays', lines: [CREATE, BIND, REVIEW], why: POD_LIVES },
        {
          name: 'a pod of another account',
          lines: [DELETE, 'oauth-lab k8s pods create mine -n lab', BIND, DELETE],
          why: 'The pod runs as another service account than the token is for. Create it with --account demo.',
        },
      ],
    },
  ],
  explanation: [
    'The request for the token named its audience, and the review named the reader. The cluster compares the two. A server that reviews without an audience asks on behalf of the API server itself, and then takes tokens that were never meant for it.',
    'A bound token ends with its pod: the cluster searches for the pod at each review. A program that only checks the signature with the published keys does not notice that before the token expires.',
  ],
  remember: [
    'Ask for one audience a token, and review with your own name as the audience.',
    'A bound token ends with its pod, for everybody who asks the cluster.',
  ],
  rule: 'RFC 7519 §4.1.3',
  stretch: [
    'Compare oauth-lab k8s verify @t --audience vault with the review after the pod is gone. Which of the two still accepts the token, and for how long?',
  ],
}
