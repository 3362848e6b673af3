import { bounded } from '../../../protocol/events.js'
import { type JudgeDocument, judgeDocument } from '../client-documents/document-rules.js'

/** Judges a document as strictly as ever, and shows a stranger what it refused. */
export const quoting: JudgeDocument = (url, answer) => {
  const judged = judgeDocument(url, answer)
  return 'problem' in judged
    ? { ...judged, problem: `${judged.problem}. The answer was: ${bounded(answer.body)}` }
    : judged
}
