import type { Menu } from '../screen/menu.js'

/** The forms of an export. */
export type ExportForm = 'jsonl' | 'csv' | 'post'

const endings: Readonly<Record<ExportForm, string>> = { jsonl: 'jsonl', csv: 'csv', post: 'json' }

/** The name of the file: `oauth-lab-events-140311.csv`, by the UTC time of day. */
export function exportName(form: ExportForm, now: number): string {
  const time = new Date(now).toISOString().slice(11, 19).replaceAll(':', '')
  return `oauth-lab-events-${time}.${endings[form]}`
}

/** The export menu. */
export function exportMenu(now: number): Menu<ExportForm> {
  const about = (form: ExportForm) => `./${exportName(form, now)}`
  return {
    title: 'Export',
    items: [
      { choice: 'jsonl', key: 'j', text: 'JSON lines, the events listed', about: about('jsonl') },
      { choice: 'csv', key: 'c', text: 'CSV, the events listed', about: about('csv') },
      { choice: 'post', key: 'p', text: 'chat post, this event', about: about('post') },
    ],
    note: '',
  }
}
