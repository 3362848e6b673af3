import type { ProxyMode } from '../../../servers/compression/proxy/modes.js'
import { caseCommands, caseReport } from '../../render/compression/case-text.js'
import type { Menu } from '../screen/menu.js'
import type { CompressState } from './state.js'
import { resultOf, selectedCase } from './state.js'

/** The forms of an export. */
export type ExportForm = 'commands' | 'nginx' | 'json' | 'text'

const endings: Readonly<Record<ExportForm, string>> = {
  commands: 'sh',
  nginx: 'conf',
  json: 'jsonl',
  text: 'txt',
}

/** The name of the file: `oauth-lab-compress-140311.txt`, by the UTC time of day. */
export function exportName(form: ExportForm, now: number): string {
  const time = new Date(now).toISOString().slice(11, 19).replaceAll(':', '')
  return `oauth-lab-compress-${time}.${endings[form]}`
}

/** The export menu as it stands in this state. */
export function exportMenu(state: CompressState, now: number): Menu<ExportForm> {
  const { name, mode } = selectedCase(state)
  const about = (form: ExportForm) => `./${exportName(form, now)}`
  return {
    title: 'Export',
    items: [
      { choice: 'commands', key: 'c', text: `commands, case ${name}`, about: about('commands') },
      {
        choice: 'nginx',
        key: 'n',
        text: `nginx configuration, case ${name}`,
        about: about('nginx'),
        ...(mode === null && { off: 'this case has no proxy' }),
      },
      { choice: 'json', key: 'j', text: 'JSON lines, all cases', about: about('json') },
      { choice: 'text', key: 't', text: 'text, all cases', about: about('text') },
    ],
    note: '',
  }
}

/** The command lines of the selected case. */
export function commandsOf(state: CompressState, server: string): string {
  return caseCommands(selectedCase(state), state.path, server).join('\n')
}

/** The exported text for a choice of the menu. */
export function exportText(
  state: CompressState,
  form: ExportForm,
  {
    server,
    ascii,
    nginx,
  }: { readonly server: string; readonly ascii: boolean; readonly nginx: (mode: ProxyMode) => string },
): string {
  const setting = selectedCase(state)
  switch (form) {
    case 'commands':
      return `# case ${setting.name}: ${setting.title}\n${commandsOf(state, server)}\n`
    case 'nginx':
      return setting.mode === null ? '' : nginx(setting.mode)
    case 'json':
      return state.cases
        .map(each => resultOf(state, each))
        .flatMap(result => (result.state === 'measured' ? [`${JSON.stringify(result.measured)}\n`] : []))
        .join('')
    case 'text': {
      const results = state.cases.map(each => [each, resultOf(state, each)] as const)
      return `${caseReport(state.path, results, { ascii }).join('\n')}\n`
    }
  }
}
