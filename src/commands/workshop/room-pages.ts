import type { HttpResponse } from '../../protocol/http/message.js'
import { createPage, type Html, html } from '../../protocol/http/page.js'
import type { Tarball } from '../../servers/room/plain-site.js'
import type { Room } from '../../servers/room/room.js'
import type { RoomPages } from '../../servers/room/room-site.js'

const page = createPage('oauth-lab workshop')

/** The pages of a workshop. */
interface WorkshopPages {
  readonly room: RoomPages
  readonly plain: (tarball: Tarball | undefined) => HttpResponse
}

function boardPage(room: Room): HttpResponse {
  const { room: name, people, groups } = room.board()
  const rows = people.map(({ name: called, who, lesson, task, stuck, tasks }) => {
    const done = Object.values(tasks).filter(({ state }) => state === 'done').length
    const place = [lesson, task].filter(Boolean).join('/')
    return html`<li><strong>${called}</strong> (${who}) ${place} <small>${String(done)} tasks done${stuck ? `; stuck: ${stuck.why}` : ''}</small></li>`
  })
  const held = groups.map(
    ({ who, rule, lesson, task }) =>
      html`<li>${String(who.length)}: ${rule} <small>${lesson}/${task}: ${who.join(', ')}</small></li>`,
  )
  const content = html`<h1>${name}</h1><h2>People</h2><ul>${rows}</ul><h2>Held by a rule</h2><ul>${held}</ul>`
  return page(200, 'Board', content, { headers: [['refresh', '5']], wide: true })
}

const joinLines = (place: string): Html =>
  html`<p>With the code that the teacher shows:</p><p><code>npx oauth-lab join ${place} CODE</code></p>`

/** The pages of a room. @param addresses host and port of the room, and the address of the plain port, once both listen */
export function roomPages(
  room: Room,
  addresses: { readonly secure: string; readonly plain: string },
): WorkshopPages {
  const { name } = room.state()
  return {
    room: {
      board: () => boardPage(room),
      stage: () => boardPage(room),
      join: () => page(200, 'Join', html`<h1>Join ${name}</h1>${joinLines(addresses.secure)}`),
      view: board => board,
    },
    plain(tarball) {
      const file = `${addresses.plain}/oauth-lab.tgz`
      const install =
        tarball === undefined
          ? html`<p>The computer of the teacher has no npm to make the file of the program with.</p>`
          : html`<p><code>npm install -g ${file}</code></p><p>Its SHA-256 has to be the one on the teacher’s screen: <code>${tarball.sha256}</code></p>`
      return page(
        200,
        'Join',
        html`<h1>Join ${name}</h1>${joinLines(addresses.secure)}<h2>Without a registry</h2>${install}`,
      )
    },
  }
}
