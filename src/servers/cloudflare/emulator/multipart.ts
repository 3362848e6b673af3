import { type HttpRequest, header, text } from '../../../protocol/http/message.js'

/** The most parts that are read, and the longest headers of a part, in characters. */
const MAX_PARTS = 20
const MAX_HEADERS = 8192

/** A boundary has 1 to 70 characters (RFC 2046 §5.1.1). */
const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i
const NAME = /^content-disposition:[^\r\n]*?;[ \t]*name=(?:"([^"\r\n]*)"|([^\s;"]+))/im

/** Returns the end of the headers of a part, and the start of its content. Both line ends are accepted. */
function contentStart(body: string, from: number): number | undefined {
  const [end] = /^(?:[^\r\n]+\r?\n)*\r?\n/.exec(body.slice(from, from + MAX_HEADERS)) ?? []
  return end === undefined ? undefined : from + end.length
}

/** Returns the first delimiter at or after a position: the place of its line end, and the place after it. */
function nextDelimiter(body: string, delimiter: string, from: number) {
  for (let at = body.indexOf(delimiter, from); at >= 0; at = body.indexOf(delimiter, at + 1)) {
    const after = at + delimiter.length
    const [whole, final] = /^(--)?[ \t]{0,100}(?:\r?\n|$)/.exec(body.slice(after, after + 110)) ?? []
    if (whole !== undefined) return { at, after: after + whole.length, final: final !== undefined }
  }
  return undefined
}

/**
 * The fields of a form with several parts (RFC 7578), by name. Lines may end with a line feed alone, as cloudflare-go writes them and the service
 * reads them.
 * @returns undefined for a body that is no such form
 */
export function multipartFields(request: HttpRequest): ReadonlyMap<string, string> | undefined {
  const [, quoted, plain] = BOUNDARY.exec(header(request, 'content-type') ?? '') ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  const body = `\n${text(request.body)}`
  const delimiter = `\n--${boundary}`
  const fields = new Map<string, string>()
  let here = nextDelimiter(body, delimiter, 0)
  for (let count = 0; here !== undefined && !here.final; count++) {
    const start = contentStart(body, here.after)
    // The line end before a delimiter belongs to the delimiter, also when the content is empty.
    const next = start === undefined ? undefined : nextDelimiter(body, delimiter, start - 1)
    if (start === undefined || next === undefined || count >= MAX_PARTS) return undefined
    const [, name, bare] = NAME.exec(body.slice(here.after, start)) ?? []
    const field = name ?? bare
    if (field === undefined) return undefined
    const content = body.slice(start, Math.max(start, next.at))
    fields.set(field, content.endsWith('\r') ? content.slice(0, -1) : content)
    here = next
  }
  return here === undefined ? undefined : fields
}
