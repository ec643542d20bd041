import type { JointApproval } from '../../core/scans/index.ts'

/** Names of approvals in tables. JSON output and BOMs contain the values of the specification. */
export const APPROVAL_LABELS: Readonly<Record<JointApproval, string>> = {
  yes: 'approved',
  no: 'rejected',
  partly: 'partly approved',
  unreviewed: 'unreviewed',
}
