import type { LISTENERS, ListenerName } from '../../../lab/listening/listeners.js'
import { shellWord } from '../../../protocol/safe-output/shell.js'
import { ruleLine } from '../../render/steps/exchange-lines.js'
import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, line, span, spread } from '../../render/text/spans.js'
import { pad, wrap } from '../../render/text/text.js'
import type { LabView } from './view/lab-view.js'

/**
 * The titles of `serve`: a screen reads a recording without the program of a lab, and the compiler holds them equal.
 */
type Titles = { readonly [Name in ListenerName]: (typeof LISTENERS)[Name]['title'] }

const titles: Readonly<Record<string, string>> = {
  authorization: 'authorization server',
  http: 'plain HTTP',
  resource: 'resource server',
  cluster: 'cluster',
  dns: 'DNS and events',
  client: 'demo client',
  mtls: 'mTLS',
} satisfies Titles

/** The lines to paste into another terminal, so that other programs use and trust this lab. */
export function pasteLines({ facts, clients }: LabView): string[] {
  const { ca, urls } = facts
  const at = (site: string) => urls.find(([name]) => name === site)?.[1]
  const [authorization, resource] = [at('authorization'), at('resource')]
  const file = ca === undefined ? undefined : shellWord(ca)
  const trust = file === undefined ? '' : ` --cacert ${file}`
  const published = facts.stage === 'published-keys' && facts.profile !== 'reference'
  const client = clients.blocks
    .flat()
    .find(each => each.registered?.enabled && each.registered.redirectUris > 0)
  return [
    ...(authorization === undefined
      ? []
      : [
          `curl${trust} ${shellWord(`${authorization}${published ? '/.well-known/openid-configuration' : '/'}`)}`,
        ]),
    ...(file === undefined ? [] : [`export NODE_EXTRA_CA_CERTS=${file}`]),
    ...(resource === undefined
      ? []
      : [`curl${trust} -H "Authorization: Bearer $TOKEN" ${shellWord(`${resource}/resource`)}`]),
    ...(at('cluster') === undefined
      ? []
      : [
          'oauth-lab k8s kubeconfig > lab.kubeconfig',
          'kubectl --kubeconfig lab.kubeconfig create token demo --audience api',
        ]),
    ...(authorization === undefined || client === undefined
      ? []
      : [`oauth-lab flow code --client ${shellWord(client.id)}`]),
  ]
}

/** The page that says where the lab is and how to use it. `notes`: what else there is to know. */
export function infoLines(view: LabView, notes: readonly string[], columns: number, signs: Signs): Line[] {
  const { facts } = view
  const row = (name: string, value: string): Line => [
    span(`  ${pad(foreign(name, signs), 22)}`, 'name'),
    span(foreign(value, signs)),
  ]
  const section = (name: string): Line => ruleLine([span(name, 'title')], [], columns, signs)
  const wrapped = (text: string): Line[] =>
    wrap(foreign(text, signs), columns - 4).map((part, i) => line(`${i === 0 ? '  ' : '    '}${part}`))
  const pasted = pasteLines(view)
  return [
    spread([span(' oauth-lab  ', 'title'), span('this lab')], [span('esc back ', 'dim')], columns, signs),
    section('Where'),
    ...facts.urls.map(([site, url]) => row(titles[site] ?? site, url)),
    ...(facts.ca === undefined ? [] : [row('CA file', facts.ca)]),
    ...(facts.labFile === undefined ? [] : [row('lab file', facts.labFile)]),
    ...(facts.stage === undefined
      ? []
      : [row('stage, profile', `${facts.stage}, ${facts.profile ?? 'standard'}`)]),
    ...(pasted.length === 0 ? [] : [section('To paste into another terminal')]),
    ...pasted.flatMap(each => wrapped(each)),
    ...(notes.length === 0 ? [] : [section('Notes')]),
    ...notes.flatMap(each => wrapped(each)),
    line(''),
    line(' y copies the lines to paste', 'dim'),
  ]
}
