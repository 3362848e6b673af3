import { shellWord } from '../../../protocol/safe-output/shell.js'
import { ruleLine } from '../../render/steps/exchange-lines.js'
import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, line, span } from '../../render/text/spans.js'
import { pad, wrap } from '../../render/text/text.js'
import { pageTitle } from '../screen/frame.js'
import type { LabView } from './view/lab-view.js'

/** The lines to paste into another terminal, so that other programs use and trust this lab. */
export function pasteLines({ facts, clients }: LabView): string[] {
  const { ca, urls, stage, profile } = facts
  const at = (site: string) => urls.find(([name]) => name === site)?.[1]
  const [authorization, resource] = [at('authorization'), at('resource')]
  const file = ca === undefined ? undefined : shellWord(ca)
  const curl = file === undefined ? 'curl' : `curl --cacert ${file}`
  const published = stage === 'published-keys' && profile !== 'reference'
  const client = clients.blocks
    .flat()
    .find(each => each.registered?.enabled && each.registered.redirectUris > 0)
  return [
    authorization &&
      `${curl} ${shellWord(`${authorization}${published ? '/.well-known/openid-configuration' : '/'}`)}`,
    file && `export NODE_EXTRA_CA_CERTS=${file}`,
    resource && `${curl} -H "Authorization: Bearer $TOKEN" ${shellWord(`${resource}/resource`)}`,
    at('cluster') && 'oauth-lab k8s kubeconfig > lab.kubeconfig',
    at('cluster') && 'kubectl --kubeconfig lab.kubeconfig create token demo --audience api',
    authorization && client && `oauth-lab flow code --client ${shellWord(client.id)}`,
  ].filter(each => each !== undefined)
}

/**
 * The page that says where the lab is and how to use it.
 * @param notes what else there is to know
 * @param titles of the sites, by their names
 */
export function infoLines(
  view: LabView,
  notes: readonly string[],
  titles: Readonly<Record<string, string>>,
  columns: number,
  signs: Signs,
): Line[] {
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
    pageTitle('this lab', columns, signs),
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
