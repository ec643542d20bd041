import type { Generated } from 'kysely'

/** People, who is logged in, and links that let people in. */
export interface UserTables {
  readonly console_user: ConsoleUserTable
  readonly user_session: UserSessionTable
  readonly user_invitation: UserInvitationTable
}

export interface ConsoleUserTable {
  /** Order of creation; given by the database. */
  position: Generated<number>
  id: string
  account_id: string
  name: string
  folded_name: string
  scopes: string
  /** PHC string. */
  password_hash: string
  created_at: number
  last_login_at: number | null
}

export interface UserSessionTable {
  token_hash: string
  user_id: string
  created_at: number
  last_seen_at: number
  expires_at: number
}

export interface UserInvitationTable {
  /** Order of creation; given by the database. */
  position: Generated<number>
  id: string
  token_hash: string
  /** Whose password it sets; without, it makes a user. */
  user_id: string | null
  account_id: string
  scopes: string
  created_at: number
  expires_at: number
}
