/** Characters that draw nothing, or that change how the text around them is drawn. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Text from outside as it can be seen: a control character becomes a sign such as `␛`, an invisible one `<U+202E>`.
 * @param {string} text
 */
export function seen(text) {
  return text.toWellFormed().replace(INVISIBLE, char => {
    const code = char.codePointAt(0) ?? 0
    return code < 0x20
      ? String.fromCharCode(0x2400 + code)
      : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
  })
}

/**
 * Makes an element. Strings become text, never markup. `undefined` and `false` leave an attribute or a child out; `true` is an
 * attribute without a value; a function listens to the event of its name.
 * @param {string} name
 * @param {Record<string, string | number | boolean | undefined | ((event: Event) => void)>} [attributes]
 * @param {...(Node | string | false | undefined)} children
 * @returns {HTMLElement}
 */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key, value)
    else if (value !== undefined && value !== false)
      made.setAttribute(key, value === true ? '' : String(value))
  }
  made.append(...children.filter(each => each !== undefined && each !== false))
  return made
}

/**
 * The element of the page with an id.
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} id
 * @returns {Kind}
 */
export const byId = id => /** @type {Kind} */ (document.getElementById(id))

/** Returns a function that does its work once a frame, however often it is called. @param {() => void} work */
export function onceAFrame(work) {
  let asked = false
  return () => {
    if (asked) return
    asked = true
    requestAnimationFrame(() => {
      asked = false
      work()
    })
  }
}

/**
 * Gives the focus to the next button of an element, or to the one before.
 * @param {HTMLElement} place
 * @param {1 | -1} by
 * @param {number} none index of the button where none has the focus; negative: from the end
 * @returns {HTMLButtonElement | undefined}
 */
export function focusNext(place, by, none) {
  const buttons = [...place.querySelectorAll('button')]
  const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement))
  const next = at < 0 ? buttons.at(none) : buttons[at + by]
  next?.focus()
  return next
}

/** The sum of the numbers of a record. @param {Readonly<Record<string, number>>} counts */
export const total = counts => Object.values(counts).reduce((sum, each) => sum + each, 0)

/** A time of the day, such as `14:03:11`, by the clock of this computer. @param {string | number | Date} at */
export const clock = at => new Date(at).toLocaleTimeString('en-GB')

/** A length of time in words: `40 s`, `3 min`, `2 h 5 min`. @param {number} ms */
export function duration(ms) {
  const minutes = Math.round(ms / 60_000)
  if (ms < 60_000) return `${Math.max(0, Math.round(ms / 1000))} s`
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Milliseconds after which a stream that the server refused is asked for again. */
const AGAIN = 3000

/**
 * Follows a stream of events for as long as the page is open, and says in `#state` when the connection is lost.
 * @template Message
 * @param {(last: string) => string} address the stream after the event with this id; empty: from its beginning
 * @param {(message: Message) => void} show
 */
export function follow(address, show) {
  const state = byId('state')
  const say = (/** @type {string} */ text, /** @type {boolean} */ lost) => {
    state.textContent = text
    state.classList.toggle('lost', lost)
  }
  /** @type {Date | undefined} */
  let since
  let last = ''
  function open() {
    const source = new EventSource(address(last))
    source.onopen = () => {
      since = undefined
      say('Live: what happens appears by itself.', false)
    }
    source.onmessage = message => {
      last = message.lastEventId
      show(JSON.parse(message.data))
    }
    source.onerror = async () => {
      since ??= new Date()
      say(`The connection is lost since ${clock(since)}. This page tries again.`, true)
      if (source.readyState !== EventSource.CLOSED) return
      const answer = await fetch(location.href, { method: 'HEAD' }).catch(() => undefined)
      if (answer?.status === 401)
        say('This page needs its key: open the address that the terminal shows.', true)
      setTimeout(open, AGAIN)
    }
  }
  open()
}

/** True where the keys of a page are letters for somebody: in a field. @param {EventTarget | null} target */
const isField = target => target instanceof HTMLElement && target.matches('input, select, textarea')

const SWITCH = 'keys off'

/**
 * Listens to single keys, and lists them in `#help`, a dialog that `?` and `#keys` open. There they can be switched off
 * (WCAG 2.2, 2.1.4), because people who speak to their computer press keys by accident.
 * @param {ReadonlyArray<readonly [key: string, meaning: string, act: () => void]>} table
 */
export function listen(table) {
  /** @type {HTMLDialogElement} */
  const help = byId('help')
  const rows = [...table, /** @type {const} */ (['?', 'this list', () => help.showModal()])]
  const isOff = () => localStorage.getItem(SWITCH) !== null
  const box = /** @type {HTMLInputElement} */ (el('input', { type: 'checkbox', id: 'switch' }))
  box.checked = !isOff()
  box.onchange = () => (box.checked ? localStorage.removeItem(SWITCH) : localStorage.setItem(SWITCH, 'true'))
  const close = el('button', { click: () => help.close() }, 'Close')
  help.append(
    el('h2', { id: 'help-heading' }, 'Keys'),
    el(
      'dl',
      { class: 'keys' },
      ...rows.flatMap(([key, meaning]) => [
        el('dt', {}, el('kbd', {}, key === ' ' ? 'space' : key)),
        el('dd', {}, meaning),
      ]),
    ),
    el('p', {}, box, ' ', el('label', { for: 'switch' }, 'These keys work')),
    close,
  )
  byId('keys').onclick = () => help.showModal()
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || isField(event.target) || isOff()) return
    if (document.querySelector('dialog[open]')) return
    const row = rows.find(([key]) => key === event.key)
    if (row === undefined) return
    event.preventDefault()
    row[2]()
  })
}
