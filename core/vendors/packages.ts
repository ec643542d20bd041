import type { PackageRow } from '../scans/project/packages/rows.ts'
import { CHAT_PACKAGES } from './packages/chat.ts'
import { CLOUD_PACKAGES } from './packages/clouds.ts'
import { CONTENT_PACKAGES } from './packages/content.ts'
import { DEVELOPER_PACKAGES } from './packages/developers.ts'
import { MAIL_PACKAGES } from './packages/mail.ts'
import { MICROSOFT_PACKAGES } from './packages/microsoft.ts'
import { MODEL_PACKAGES } from './packages/models.ts'
import { MONITORING_PACKAGES } from './packages/monitoring.ts'
import { OFFICE_PACKAGES } from './packages/office.ts'
import { PAYMENT_PACKAGES } from './packages/payments.ts'
import { PLATFORM_PACKAGES } from './packages/platforms.ts'
import { TRADE_PACKAGES } from './packages/trade.ts'

/** The built-in client libraries of vendors, each with the host of its API. */
export const PACKAGES: readonly PackageRow[] = [
  ...PAYMENT_PACKAGES,
  ...TRADE_PACKAGES,
  ...MAIL_PACKAGES,
  ...CHAT_PACKAGES,
  ...MODEL_PACKAGES,
  ...CLOUD_PACKAGES,
  ...MICROSOFT_PACKAGES,
  ...DEVELOPER_PACKAGES,
  ...MONITORING_PACKAGES,
  ...CONTENT_PACKAGES,
  ...OFFICE_PACKAGES,
  ...PLATFORM_PACKAGES,
]
