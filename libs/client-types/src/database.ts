// Written by `npm run generate` from the definitions in libs/contracts. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

/** The history of a resource: one row for each event of a record, also of deleted ones. */
type History<Of extends string> = {
  Row: {
    /** The id of the record. */
    id: string;
    /** The practice. */
    therapist_id: string;
    /** The version of the record, from 1, without gaps. */
    version: number;
    /** The place in the log of the practice in this service, from 1, without gaps. */
    position: number;
    /** The write that made it, and perhaps others: `scheduling:1042`. */
    change_id: string | null;
    /** The type of the event: `AppointmentRescheduled`. */
    event: string;
    /** When it was recorded. */
    at: string;
    /** `user`, `token`, `policy` or `system`. */
    actor: string | null;
    /** The user; for a token its owner. */
    actor_id: string | null;
    /** The app (OAuth client) through which the user did it. */
    oauth_client_id: string | null;
    /** The name at that time: the user’s name or e-mail address, the token’s or the policy’s name; `Ada Lovelace via Calendar Sync` through an app. */
    actor_name: string | null;
    /** The `Change-Reason` of the write. */
    reason: string | null;
    /** The `X-Request-Id` of the write. */
    request_id: string | null;
    /** The change of another service that a policy reacted to. */
    caused_by: string | null;
    /** The values that were replaced; null for a creation. */
    before: Json | null;
    /** The values that were set; null for a deletion. */
    after: Json | null;
    /** Personal values were erased and are null. */
    erased: boolean;
    /** The change that this one takes back. */
    undoes: string | null;
  };
  Relationships: [
    {
      foreignKeyName: `${Of}_history_id_fkey`;
      columns: ['id'];
      isOneToOne: false;
      referencedRelation: Of;
      referencedColumns: ['id'];
    },
  ];
};

export type Database = {
  /** The features that supabase-js infers types for. */
  __InternalSupabase: { PostgrestVersion: '14' };
  public: {
    Tables: {
      /** The clients of the practice. */
      clients: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          name: string;
          email: string | null;
          phone: string | null;
          status: Database['public']['Enums']['clients_status'];
          /** Number of completed appointments, counted by the server. Set it for an opening balance or a correction. */
          total_visits: number;
          /** The id of the record in another system, unique in the practice. `on_conflict=external_id` finds it again. */
          external_id: string | null;
          /** Values of another system: an object of at most 16 KiB of JSON. */
          metadata: Json | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          name: string;
          email?: string | null;
          phone?: string | null;
          status?: Database['public']['Enums']['clients_status'];
          total_visits?: number;
          external_id?: string | null;
          metadata?: Json | null;
          created_at?: string;
          updated_at?: string;
          conversation_log?: Omit<Database['public']['Tables']['conversation_log']['Insert'], 'client_id'>[];
          diagnoses?: Omit<Database['public']['Tables']['diagnoses']['Insert'], 'client_id'>[];
          measures?: Omit<Database['public']['Tables']['measures']['Insert'], 'client_id'>[];
          private_notes?: Omit<Database['public']['Tables']['private_notes']['Insert'], 'client_id'>[];
          session_addenda?: Omit<Database['public']['Tables']['session_addenda']['Insert'], 'client_id'>[];
          sessions?: Omit<Database['public']['Tables']['sessions']['Insert'], 'client_id'>[];
          credit_notes?: Omit<Database['public']['Tables']['credit_notes']['Insert'], 'client_id'>[];
          invoice_items?: Omit<Database['public']['Tables']['invoice_items']['Insert'], 'client_id'>[];
          invoices?: Omit<Database['public']['Tables']['invoices']['Insert'], 'client_id'>[];
          packages?: Omit<Database['public']['Tables']['packages']['Insert'], 'client_id'>[];
          payment_allocations?: Omit<
            Database['public']['Tables']['payment_allocations']['Insert'],
            'client_id'
          >[];
          payments?: Omit<Database['public']['Tables']['payments']['Insert'], 'client_id'>[];
          appointment_series?: Omit<
            Database['public']['Tables']['appointment_series']['Insert'],
            'client_id'
          >[];
          appointments?: Omit<Database['public']['Tables']['appointments']['Insert'], 'client_id'>[];
        };
        Update: {
          id?: string;
          therapist_id?: string;
          name?: string;
          email?: string | null;
          phone?: string | null;
          status?: Database['public']['Enums']['clients_status'];
          total_visits?: number;
          external_id?: string | null;
          metadata?: Json | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };

      /** Messages to and from clients, and notes about them. Entries cannot be changed. */
      conversation_log: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          client_id: string;
          role: Database['public']['Enums']['conversation_log_role'];
          channel: Database['public']['Enums']['conversation_log_channel'];
          content: string;
          /** An object of at most 16 KiB. */
          metadata: Json;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          client_id: string;
          role?: Database['public']['Enums']['conversation_log_role'];
          channel?: Database['public']['Enums']['conversation_log_channel'];
          content: string;
          metadata?: Json;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: never;
          therapist_id?: never;
          client_id?: never;
          role?: never;
          channel?: never;
          content?: never;
          metadata?: never;
          created_at?: never;
          updated_at?: never;
        };
        Relationships: [
          {
            foreignKeyName: 'conversation_log_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
        ];
      };

      /** Diagnoses of clients. Events do not contain the code. */
      diagnoses: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          client_id: string;
          /** A code of ICD-10-CM. Only its form is checked. */
          code: string;
          description: string | null;
          since: string | null;
          /** Null while the diagnosis holds; not before `since`. */
          until: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          client_id: string;
          code: string;
          description?: string | null;
          since?: string | null;
          until?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          client_id?: string;
          code?: string;
          description?: string | null;
          since?: string | null;
          until?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'diagnoses_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
        ];
      };

      /** Answers to questionnaires, with score and severity. Events do not contain them; an answer about self-harm raises `MeasureRiskRaised`. */
      measures: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          client_id: string;
          instrument: Database['public']['Enums']['measures_instrument'];
          /** Default: now. */
          taken_at: string | null;
          /** The answer to each item, by its number: `{"1": 0, "2": 3}`. */
          answers: Json;
          score: number | null;
          severity: string | null;
          /** The LOINC code of the score. */
          loinc: string | null;
          /** The item about self-harm was answered above 0: item 9 of PHQ-9. */
          has_risk: boolean;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          client_id: string;
          instrument: Database['public']['Enums']['measures_instrument'];
          taken_at?: string | null;
          answers: Json;
          score?: number | null;
          severity?: string | null;
          loinc?: string | null;
          has_risk?: boolean;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          client_id?: string;
          instrument?: Database['public']['Enums']['measures_instrument'];
          taken_at?: string | null;
          answers?: Json;
          score?: number | null;
          severity?: string | null;
          loinc?: string | null;
          has_risk?: boolean;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'measures_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
        ];
      };

      /** The sections of session notes that a practice makes for itself. */
      note_templates: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          name: string;
          /** Section → its heading: `{"mood": "Mood", "homework": "Homework"}`. */
          sections: Json;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          name: string;
          sections: Json;
          created_at?: string;
          updated_at?: string;
          sessions?: Omit<Database['public']['Tables']['sessions']['Insert'], 'template_id'>[];
        };
        Update: {
          id?: string;
          therapist_id?: string;
          name?: string;
          sections?: Json;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };

      /** Psychotherapy notes (45 CFR 164.501), apart from the record of treatment. Only their author reads them: no other role, break-glass access, export, feed or undo does. An erasure of the client erases them. */
      private_notes: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          client_id: string;
          /** The caller. */
          author_id: string;
          text: string;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          client_id: string;
          author_id?: string | null;
          text: string;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          client_id?: string;
          author_id?: string | null;
          text?: string;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'private_notes_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
        ];
      };

      /** Additions to signed notes. Each is signed when it is written, and cannot be changed, deleted or undone. */
      session_addenda: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          session_id: string;
          /** The client of the note. Default: from the note. */
          client_id: string | null;
          text: string;
          /** The caller. */
          author_id: string | null;
          signed_at: string | null;
          /** The printed name of the signer. */
          signed_by_name: string | null;
          /** SHA-256 of `id`, `session_id`, `client_id`, `author_id`, `text`, `signed_at` and `signed_by_name` as canonical JSON (RFC 8785). */
          text_hash: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          session_id: string;
          client_id?: string | null;
          text: string;
          author_id?: string | null;
          signed_at?: string | null;
          signed_by_name?: string | null;
          text_hash?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: never;
          therapist_id?: never;
          session_id?: never;
          client_id?: never;
          text?: never;
          author_id?: never;
          signed_at?: never;
          signed_by_name?: never;
          text_hash?: never;
          created_at?: never;
          updated_at?: never;
        };
        Relationships: [
          {
            foreignKeyName: 'session_addenda_session_id_fkey';
            columns: ['session_id'];
            isOneToOne: false;
            referencedRelation: 'sessions';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'session_addenda_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
        ];
      };

      /** Treatment notes. A note is a draft until it is signed (`rpc/sign_note`); then it cannot change: write an addendum, or void it. Events do not contain the texts. */
      sessions: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          client_id: string;
          appointment_id: string | null;
          subjective: string | null;
          objective: string | null;
          assessment: string | null;
          plan: string | null;
          format: Database['public']['Enums']['sessions_format'];
          /** The template that has the sections of the note, instead of its format. */
          template_id: string | null;
          /** The texts by section: `{"data": "…"}`. The template or the format has the names; `free` allows any. */
          sections: Json | null;
          /** The owner or therapist who wrote it. Default: the caller; only owners may name another one. */
          author_id: string | null;
          /** The member who must co-sign it, such as a supervisor. Not the author. */
          needs_cosign_by: string | null;
          status: Database['public']['Enums']['sessions_status'];
          signed_at: string | null;
          /** The printed name of the signer. */
          signed_by_name: string | null;
          signed_meaning: Database['public']['Enums']['sessions_signed_meaning'] | null;
          /** SHA-256 of the signed columns as canonical JSON (RFC 8785), in hexadecimal digits; see `rpc/verify_note`. */
          text_hash: string | null;
          /** SHA-256 of the texts as the log stores them, sealed. It can be checked after an erasure too. */
          sealed_hash: string | null;
          cosigned_at: string | null;
          cosigned_by_name: string | null;
          voided_at: string | null;
          void_reason: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          client_id: string;
          appointment_id?: string | null;
          subjective?: string | null;
          objective?: string | null;
          assessment?: string | null;
          plan?: string | null;
          format?: Database['public']['Enums']['sessions_format'];
          template_id?: string | null;
          sections?: Json | null;
          author_id?: string | null;
          needs_cosign_by?: string | null;
          status?: Database['public']['Enums']['sessions_status'];
          signed_at?: string | null;
          signed_by_name?: string | null;
          signed_meaning?: Database['public']['Enums']['sessions_signed_meaning'] | null;
          text_hash?: string | null;
          sealed_hash?: string | null;
          cosigned_at?: string | null;
          cosigned_by_name?: string | null;
          voided_at?: string | null;
          void_reason?: string | null;
          created_at?: string;
          updated_at?: string;
          session_addenda?: Omit<Database['public']['Tables']['session_addenda']['Insert'], 'session_id'>[];
        };
        Update: {
          id?: string;
          therapist_id?: string;
          client_id?: string;
          appointment_id?: string | null;
          subjective?: string | null;
          objective?: string | null;
          assessment?: string | null;
          plan?: string | null;
          format?: Database['public']['Enums']['sessions_format'];
          template_id?: string | null;
          sections?: Json | null;
          author_id?: string | null;
          needs_cosign_by?: string | null;
          status?: Database['public']['Enums']['sessions_status'];
          signed_at?: string | null;
          signed_by_name?: string | null;
          signed_meaning?: Database['public']['Enums']['sessions_signed_meaning'] | null;
          text_hash?: string | null;
          sealed_hash?: string | null;
          cosigned_at?: string | null;
          cosigned_by_name?: string | null;
          voided_at?: string | null;
          void_reason?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'sessions_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'sessions_appointment_id_fkey';
            columns: ['appointment_id'];
            isOneToOne: false;
            referencedRelation: 'appointments';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'sessions_template_id_fkey';
            columns: ['template_id'];
            isOneToOne: false;
            referencedRelation: 'note_templates';
            referencedColumns: ['id'];
          },
        ];
      };

      /** How the practice numbers invoices and credit notes. Every practice has one record, with the id of the practice. */
      billing_settings: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          /** The next invoice is INV-00042. Numbers of earlier invoices stay. */
          invoice_prefix: string;
          credit_note_prefix: string;
          /** The tax of items that `rpc/bill_appointments` and fee rules make. Null: no tax. */
          default_tax_id: string | null;
          /** Days from the date of an invoice to the day on which it is due. */
          payment_days: number;
          /** Set by `rpc/finalize_invoice`. */
          next_invoice_number: number;
          /** Set by the server. */
          next_credit_note_number: number;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: never;
          therapist_id?: never;
          invoice_prefix?: never;
          credit_note_prefix?: never;
          default_tax_id?: never;
          payment_days?: never;
          next_invoice_number?: never;
          next_credit_note_number?: never;
          created_at?: never;
          updated_at?: never;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          invoice_prefix?: string;
          credit_note_prefix?: string;
          default_tax_id?: string | null;
          payment_days?: number;
          next_invoice_number?: number;
          next_credit_note_number?: number;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'billing_settings_default_tax_id_fkey';
            columns: ['default_tax_id'];
            isOneToOne: false;
            referencedRelation: 'taxes';
            referencedColumns: ['id'];
          },
        ];
      };

      /** Corrections of finalized invoices, with numbers of their own. They cannot be changed, deleted or undone. */
      credit_notes: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          invoice_id: string;
          client_id: string;
          /** Without gaps within the practice. */
          number: string | null;
          /** Not before the date of the invoice, and at most 31 days ahead. If omitted: today in the time zone of the practice, or the date of the invoice if that is later. */
          date: string;
          reason: string;
          /** With tax. At most what the invoice has left. */
          total: number;
          /** `total` without tax. */
          subtotal: number;
          /** The share of the tax of the invoice: all notes together have the share, rounded half to even. */
          tax_total: number;
          /** The part that reduces what is due. */
          applied: number;
          /** The rest: credit of the client. */
          credited: number;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          invoice_id: string;
          client_id?: string | null;
          number?: string | null;
          date?: string | null;
          reason: string;
          total: number;
          subtotal?: number;
          tax_total?: number;
          applied?: number;
          credited?: number;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: never;
          therapist_id?: never;
          invoice_id?: never;
          client_id?: never;
          number?: never;
          date?: never;
          reason?: never;
          total?: never;
          subtotal?: never;
          tax_total?: never;
          applied?: never;
          credited?: never;
          created_at?: never;
          updated_at?: never;
        };
        Relationships: [
          {
            foreignKeyName: 'credit_notes_invoice_id_fkey';
            columns: ['invoice_id'];
            isOneToOne: false;
            referencedRelation: 'invoices';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'credit_notes_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
        ];
      };

      /** Expenses of the practice. */
      expenses: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          date: string;
          /** Two decimals, in the `currency` of `practice_settings`. A negative amount is a refund. */
          amount: number;
          category: string;
          description: string | null;
          vendor: string | null;
          /** The id of the record in another system, unique in the practice. `on_conflict=external_id` finds it again. */
          external_id: string | null;
          /** Values of another system: an object of at most 16 KiB of JSON. */
          metadata: Json | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          date: string;
          amount: number;
          category?: string;
          description?: string | null;
          vendor?: string | null;
          external_id?: string | null;
          metadata?: Json | null;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          date?: string;
          amount?: number;
          category?: string;
          description?: string | null;
          vendor?: string | null;
          external_id?: string | null;
          metadata?: Json | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };

      /** Fees for late cancellations and no-shows. The rule that was in force when the appointment was booked proposes a draft invoice. Set `status` to ended and create another rule to change one. */
      fee_rules: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          kind: Database['public']['Enums']['fee_rules_kind'];
          /** Only for appointments of this service, before rules without a service. */
          service_id: string | null;
          /** A cancellation is late when it is recorded less than this before the start. */
          notice_hours: number;
          /** Without tax. Null: `percent` of the price. */
          amount: number | null;
          /** The share of the price of the appointment. */
          percent: number;
          status: Database['public']['Enums']['fee_rules_status'];
          /** When it ended, set by the server. */
          ended_at: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          kind: Database['public']['Enums']['fee_rules_kind'];
          service_id?: string | null;
          notice_hours?: number;
          amount?: number | null;
          percent?: number;
          status?: Database['public']['Enums']['fee_rules_status'];
          ended_at?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          kind?: Database['public']['Enums']['fee_rules_kind'];
          service_id?: string | null;
          notice_hours?: number;
          amount?: number | null;
          percent?: number;
          status?: Database['public']['Enums']['fee_rules_status'];
          ended_at?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'fee_rules_service_id_fkey';
            columns: ['service_id'];
            isOneToOne: false;
            referencedRelation: 'service_menu';
            referencedColumns: ['id'];
          },
        ];
      };

      /** The lines of invoices. They can be changed while the invoice is a draft. An appointment is on one invoice only, unless that is void or credited in full. */
      invoice_items: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          invoice_id: string;
          /** The client of the invoice. */
          client_id: string;
          /** The appointment that the line is for, of the same client. */
          appointment_id: string | null;
          /** The practitioner of the appointment when the line was made. */
          practitioner_id: string | null;
          service_id: string | null;
          /** If omitted: the name of the service. */
          description: string;
          /** The day of the service. If omitted: the day of the appointment. */
          date: string | null;
          quantity: number;
          /** Without tax. If omitted: the price of the appointment when it was booked; without one, the price of the service. */
          unit_price: number;
          tax_id: string | null;
          /** Percent: the rate of the tax when it was chosen. */
          tax_rate: number;
          /** `quantity` times `unit_price`, rounded half to even. */
          amount: number;
          /** `tax_rate` of `amount`, rounded half to even. */
          tax_amount: number;
          /** `amount` plus `tax_amount`. */
          total: number;
          /** True: the invoice is void or credited in full. */
          voided: boolean;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          invoice_id: string;
          client_id?: string | null;
          appointment_id?: string | null;
          practitioner_id?: string | null;
          service_id?: string | null;
          description?: string | null;
          date?: string | null;
          quantity?: number;
          unit_price?: number | null;
          tax_id?: string | null;
          tax_rate?: number;
          amount?: number;
          tax_amount?: number;
          total?: number;
          voided?: boolean;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          invoice_id?: string;
          client_id?: string | null;
          appointment_id?: string | null;
          practitioner_id?: string | null;
          service_id?: string | null;
          description?: string | null;
          date?: string | null;
          quantity?: number;
          unit_price?: number | null;
          tax_id?: string | null;
          tax_rate?: number;
          amount?: number;
          tax_amount?: number;
          total?: number;
          voided?: boolean;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'invoice_items_invoice_id_fkey';
            columns: ['invoice_id'];
            isOneToOne: false;
            referencedRelation: 'invoices';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'invoice_items_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'invoice_items_appointment_id_fkey';
            columns: ['appointment_id'];
            isOneToOne: false;
            referencedRelation: 'appointments';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'invoice_items_service_id_fkey';
            columns: ['service_id'];
            isOneToOne: false;
            referencedRelation: 'service_menu';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'invoice_items_tax_id_fkey';
            columns: ['tax_id'];
            isOneToOne: false;
            referencedRelation: 'taxes';
            referencedColumns: ['id'];
          },
        ];
      };

      /** Invoices: draft, open, paid, void or uncollectible. Only drafts can be changed or deleted. `rpc/finalize_invoice` gives a draft its number, a payment in full makes it paid. Set `status` to void or uncollectible, or back to open. */
      invoices: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          /** Who pays. It cannot be changed: delete the draft and create another one. */
          client_id: string;
          status: Database['public']['Enums']['invoices_status'];
          /** From `rpc/finalize_invoice`: without gaps within the practice. Null for a draft. */
          number: string | null;
          /** The date of the invoice. Null for a draft. */
          issued_on: string | null;
          /** If omitted: `payment_days` of `billing_settings` after the date. */
          due_on: string | null;
          /** Text for the client. */
          memo: string | null;
          /** The members who held its appointments. A therapist sees no other invoices. */
          practitioner_ids: string[] | null;
          /** The sum of the items without tax. */
          subtotal: number;
          /** The sum of the taxes of the items, each rounded half to even. */
          tax_total: number;
          total: number;
          /** The sum of its `payment_allocations`. */
          amount_paid: number;
          /** The sum of its `credit_notes`. */
          amount_credited: number;
          /** The rest to be paid. Zero for a draft. */
          amount_due: number;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          client_id: string;
          status?: Database['public']['Enums']['invoices_status'];
          number?: string | null;
          issued_on?: string | null;
          due_on?: string | null;
          memo?: string | null;
          practitioner_ids?: string[] | null;
          subtotal?: number;
          tax_total?: number;
          total?: number;
          amount_paid?: number;
          amount_credited?: number;
          amount_due?: number;
          created_at?: string;
          updated_at?: string;
          credit_notes?: Omit<Database['public']['Tables']['credit_notes']['Insert'], 'invoice_id'>[];
          invoice_items?: Omit<Database['public']['Tables']['invoice_items']['Insert'], 'invoice_id'>[];
          packages?: Omit<Database['public']['Tables']['packages']['Insert'], 'invoice_id'>[];
          payment_allocations?: Omit<
            Database['public']['Tables']['payment_allocations']['Insert'],
            'invoice_id'
          >[];
        };
        Update: {
          id?: string;
          therapist_id?: string;
          client_id?: string;
          status?: Database['public']['Enums']['invoices_status'];
          number?: string | null;
          issued_on?: string | null;
          due_on?: string | null;
          memo?: string | null;
          practitioner_ids?: string[] | null;
          subtotal?: number;
          tax_total?: number;
          total?: number;
          amount_paid?: number;
          amount_credited?: number;
          amount_due?: number;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'invoices_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
        ];
      };

      /** Prepaid sessions of a service. A completed appointment of the client and service uses one session of the oldest active package, unless an invoice already has it, and gives it back when the completion is undone. */
      packages: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          client_id: string;
          service_id: string;
          /** The invoice that the package is bought by. It has the price. */
          invoice_id: string;
          sessions: number;
          /** The last day of an appointment that can use it. */
          expires_on: string | null;
          /** Pending until the invoice is finalized, void when that is void or credited in full. */
          status: Database['public']['Enums']['packages_status'];
          /** Sessions that are used. */
          used: number;
          /** The ids of the appointments that use them. */
          used_by: string[] | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          client_id: string;
          service_id: string;
          invoice_id: string;
          sessions: number;
          expires_on?: string | null;
          status?: Database['public']['Enums']['packages_status'];
          used?: number;
          used_by?: string[] | null;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          client_id?: string;
          service_id?: string;
          invoice_id?: string;
          sessions?: number;
          expires_on?: string | null;
          status?: Database['public']['Enums']['packages_status'];
          used?: number;
          used_by?: string[] | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'packages_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'packages_service_id_fkey';
            columns: ['service_id'];
            isOneToOne: false;
            referencedRelation: 'service_menu';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'packages_invoice_id_fkey';
            columns: ['invoice_id'];
            isOneToOne: false;
            referencedRelation: 'invoices';
            referencedColumns: ['id'];
          },
        ];
      };

      /** The parts of payments, and of other credit, that pay invoices. An allocation of all that is due makes the invoice paid; deleting it opens the invoice again. */
      payment_allocations: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          /** Null: credit of the client pays, such as that of a credit note. Name the payment if one pays: otherwise it still counts as not allocated. */
          payment_id: string | null;
          invoice_id: string;
          /** The client of the invoice, and of the payment if there is one. */
          client_id: string;
          /** If omitted: what is due, or, if that is less, the credit of the client, or what is left of the payment. */
          amount: number;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          payment_id?: string | null;
          invoice_id: string;
          client_id?: string | null;
          amount?: number | null;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          payment_id?: string | null;
          invoice_id?: string;
          client_id?: string | null;
          amount?: number | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'payment_allocations_payment_id_fkey';
            columns: ['payment_id'];
            isOneToOne: false;
            referencedRelation: 'payments';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'payment_allocations_invoice_id_fkey';
            columns: ['invoice_id'];
            isOneToOne: false;
            referencedRelation: 'invoices';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'payment_allocations_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
        ];
      };

      /** Payments of clients. `payment_allocations` say which invoices they pay; the rest is credit of the client. Card data are never stored. */
      payments: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          client_id: string;
          date: string;
          /** A negative amount pays credit back to the client. */
          amount: number;
          method: Database['public']['Enums']['payments_method'];
          /** The id in another system. Each can be recorded once. */
          external_id: string | null;
          note: string | null;
          /** Sum of its `payment_allocations`. */
          allocated: number;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          client_id: string;
          date: string;
          amount: number;
          method: Database['public']['Enums']['payments_method'];
          external_id?: string | null;
          note?: string | null;
          allocated?: number;
          created_at?: string;
          updated_at?: string;
          payment_allocations?: Omit<
            Database['public']['Tables']['payment_allocations']['Insert'],
            'payment_id'
          >[];
        };
        Update: {
          id?: string;
          therapist_id?: string;
          client_id?: string;
          date?: string;
          amount?: number;
          method?: Database['public']['Enums']['payments_method'];
          external_id?: string | null;
          note?: string | null;
          allocated?: number;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'payments_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
        ];
      };

      /** Rates of tax. An invoice item keeps the rate that it was given. */
      taxes: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          name: string;
          /** Percent, such as 19 or 7.7. */
          rate: number;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          name: string;
          rate: number;
          created_at?: string;
          updated_at?: string;
          invoice_items?: Omit<Database['public']['Tables']['invoice_items']['Insert'], 'tax_id'>[];
        };
        Update: {
          id?: string;
          therapist_id?: string;
          name?: string;
          rate?: number;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };

      /** People of the practice and their roles. A new membership is an invitation: the address gets a mail with a link. */
      memberships: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          /** The person, once the invitation is accepted. Set by the server. */
          user_id: string | null;
          /** The invited address. It cannot be changed. */
          email: string;
          display_name: string | null;
          role: Database['public']['Enums']['memberships_role'];
          /** Becomes active when the invitation is accepted. Set it to removed to end the membership. */
          status: Database['public']['Enums']['memberships_status'];
          /** Set by the server. */
          invited_at: string | null;
          /** Set by the server. */
          joined_at: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          user_id?: string | null;
          email: string;
          display_name?: string | null;
          role: Database['public']['Enums']['memberships_role'];
          status?: Database['public']['Enums']['memberships_status'];
          invited_at?: string | null;
          joined_at?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          user_id?: string | null;
          email?: string;
          display_name?: string | null;
          role?: Database['public']['Enums']['memberships_role'];
          status?: Database['public']['Enums']['memberships_status'];
          invited_at?: string | null;
          joined_at?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };

      /** Apps that the practice has registered. They ask members for access (OAuth 2.1) and serve members of this practice only. The id of the record is the `client_id` of the app. A practice can have 50. For owners. */
      oauth_clients: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          /** Members see it. */
          name: string;
          /** Where the app gets its answers: `https`, or `http` on this machine (`127.0.0.1`, `localhost`, `[::1]`), which matches with any port. 1 to 20. */
          redirect_uris: string[];
          /** Confidential: the app runs on a server and keeps a secret. It cannot be changed. */
          kind: Database['public']['Enums']['oauth_clients_kind'];
          /** The `client_secret` of a confidential app. Only the responses to the creation and to `rpc/rotate_client_secret` have it. */
          secret: string | null;
          /** When the secret was last replaced. */
          secret_rotated_at: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          name: string;
          redirect_uris: string[];
          kind?: Database['public']['Enums']['oauth_clients_kind'];
          secret?: string | null;
          secret_rotated_at?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          name?: string;
          redirect_uris?: string[];
          kind?: Database['public']['Enums']['oauth_clients_kind'];
          secret?: string | null;
          secret_rotated_at?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };

      /** The practice. There is one record, made by the sign-up, with the id of the practice. */
      practices: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          name: string;
          /** The address of the person who opened the practice. */
          email: string;
          /** True: members need a second factor. Only a session at `aal2` can change it. */
          require_mfa: boolean;
          /** When an owner closed the practice with `rpc/close_practice`. Since then it is read-only. */
          closed_at: string | null;
          /** When the practice is erased: 30 days after it was closed. Until then, `rpc/reopen_practice` opens it again. */
          erase_at: string | null;
          /** When the practice was erased. No member can read it since then. */
          erased_at: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: never;
          therapist_id?: never;
          name?: never;
          email?: never;
          require_mfa?: never;
          closed_at?: never;
          erase_at?: never;
          erased_at?: never;
          created_at?: never;
          updated_at?: never;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          name?: string;
          email?: string;
          require_mfa?: boolean;
          closed_at?: string | null;
          erase_at?: string | null;
          erased_at?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };

      /** Series of appointments. Creating a series books its appointments, changing it changes future ones, ending it cancels them. */
      appointment_series: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          /** RFC 5545: FREQ (DAILY, WEEKLY, MONTHLY) with INTERVAL, BYDAY, BYMONTHDAY, and either COUNT or UNTIL (a date; an instant in UTC becomes the date in the zone of the practice). At most 366 occurrences: `FREQ=WEEKLY;COUNT=10`. */
          rrule: string;
          /** The first occurrence of the rule. After `change_series`: the first one that it changed. */
          date: string;
          start_time: string;
          /** If omitted: start_time plus the duration of the service. Null in a change computes it again; without a service, the length stays. */
          end_time: string;
          client_id: string | null;
          service_id: string | null;
          /** The member in whose calendar the appointments are. Null: the whole practice. */
          practitioner_id: string | null;
          /** The notes of each appointment. */
          notes: string | null;
          status: Database['public']['Enums']['appointment_series_status'];
          /** If a time is taken when the series is created: `reject` books nothing, `skip` leaves the date out. */
          on_conflict: Database['public']['Enums']['appointment_series_on_conflict'];
          /** The dates left out on creation. */
          skipped: string[] | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          rrule: string;
          date: string;
          start_time: string;
          end_time?: string | null;
          client_id?: string | null;
          service_id?: string | null;
          practitioner_id?: string | null;
          notes?: string | null;
          status?: Database['public']['Enums']['appointment_series_status'];
          on_conflict?: Database['public']['Enums']['appointment_series_on_conflict'];
          skipped?: string[] | null;
          created_at?: string;
          updated_at?: string;
          appointments?: Omit<Database['public']['Tables']['appointments']['Insert'], 'series_id'>[];
        };
        Update: {
          id?: string;
          therapist_id?: string;
          rrule?: string;
          date?: string;
          start_time?: string;
          end_time?: string | null;
          client_id?: string | null;
          service_id?: string | null;
          practitioner_id?: string | null;
          notes?: string | null;
          status?: Database['public']['Enums']['appointment_series_status'];
          on_conflict?: Database['public']['Enums']['appointment_series_on_conflict'];
          skipped?: string[] | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'appointment_series_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'appointment_series_service_id_fkey';
            columns: ['service_id'];
            isOneToOne: false;
            referencedRelation: 'service_menu';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'practitioner';
            columns: ['practitioner_id'];
            isOneToOne: false;
            referencedRelation: 'memberships';
            referencedColumns: ['user_id'];
          },
        ];
      };

      /** Appointments. One without a client blocks the time. */
      appointments: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          date: string;
          start_time: string;
          /** If omitted: start_time plus the duration of the service. Null in a change computes it again; without a service, the length stays. */
          end_time: string;
          status: Database['public']['Enums']['appointments_status'];
          client_id: string | null;
          client_name: string | null;
          service_id: string | null;
          /** The price of the appointment. If omitted: the price of the service when it is booked, or when another service is chosen. */
          price: number | null;
          /** The member whose calendar it is in. Null: the whole practice, which blocks every calendar. */
          practitioner_id: string | null;
          notes: string | null;
          /** True: the appointment may overlap others. */
          allow_overlap: boolean;
          /** The series that the appointment is part of. */
          series_id: string | null;
          /** The day of this occurrence in the rule of the series, also after a move to another day. */
          series_date: string | null;
          /** True: the appointment was changed individually, so changes of its series leave it unchanged. May be set. */
          is_exception: boolean;
          /** The id of the record in another system, unique in the practice. `on_conflict=external_id` finds it again. */
          external_id: string | null;
          /** Values of another system: an object of at most 16 KiB of JSON. */
          metadata: Json | null;
          /** The instant of start_time in the time zone of the practice (`practice_settings`). At a DST change, skipped times move forward by the gap; ambiguous times use the first occurrence. Writes may set it in place of date and start_time. */
          starts_at: string | null;
          /** The instant of end_time in the time zone of the practice (`practice_settings`). At a DST change, skipped times move forward by the gap; ambiguous times use the first occurrence. If a DST change moves the start, the end moves by the same amount. Writes may set it in place of end_time. */
          ends_at: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          date?: string | null;
          start_time?: string | null;
          end_time?: string | null;
          status?: Database['public']['Enums']['appointments_status'];
          client_id?: string | null;
          client_name?: string | null;
          service_id?: string | null;
          price?: number | null;
          practitioner_id?: string | null;
          notes?: string | null;
          allow_overlap?: boolean;
          series_id?: string | null;
          series_date?: string | null;
          is_exception?: boolean;
          external_id?: string | null;
          metadata?: Json | null;
          starts_at?: string | null;
          ends_at?: string | null;
          created_at?: string;
          updated_at?: string;
          sessions?: Omit<Database['public']['Tables']['sessions']['Insert'], 'appointment_id'>[];
          invoice_items?: Omit<Database['public']['Tables']['invoice_items']['Insert'], 'appointment_id'>[];
        };
        Update: {
          id?: string;
          therapist_id?: string;
          date?: string | null;
          start_time?: string | null;
          end_time?: string | null;
          status?: Database['public']['Enums']['appointments_status'];
          client_id?: string | null;
          client_name?: string | null;
          service_id?: string | null;
          price?: number | null;
          practitioner_id?: string | null;
          notes?: string | null;
          allow_overlap?: boolean;
          series_id?: string | null;
          series_date?: string | null;
          is_exception?: boolean;
          external_id?: string | null;
          metadata?: Json | null;
          starts_at?: string | null;
          ends_at?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'appointments_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'appointments_service_id_fkey';
            columns: ['service_id'];
            isOneToOne: false;
            referencedRelation: 'service_menu';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'appointments_series_id_fkey';
            columns: ['series_id'];
            isOneToOne: false;
            referencedRelation: 'appointment_series';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'practitioner';
            columns: ['practitioner_id'];
            isOneToOne: false;
            referencedRelation: 'memberships';
            referencedColumns: ['user_id'];
          },
        ];
      };

      /** Opening hours of the practice. A day may have several spans. */
      business_hours: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          day_of_week: Database['public']['Enums']['business_hours_day_of_week'];
          open_time: string;
          close_time: string;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          day_of_week: Database['public']['Enums']['business_hours_day_of_week'];
          open_time: string;
          close_time: string;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          day_of_week?: Database['public']['Enums']['business_hours_day_of_week'];
          open_time?: string;
          close_time?: string;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };

      /** The time zone and the currency of the practice, and its rules for bookings. Every practice has one record, with the id of the practice. */
      practice_settings: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          /** Dates and times of day are wall times of this zone. */
          time_zone: string;
          /** The currency of all amounts of the practice, as a code of ISO 4217. It stays once an invoice is finalized (409 `PM021`). */
          currency: string;
          /** Minutes between the starts of free slots, from the opening of a span of business hours. */
          slot_step: number;
          /** Minutes that stay free before an appointment. */
          buffer_before: number;
          /** Minutes that stay free after an appointment. */
          buffer_after: number;
          /** Minutes between a booking and the earliest start that it may have. */
          minimum_notice: number;
          /** Days from today to the last day that can be booked. */
          booking_horizon: number;
          /** True: bookings outside of these rules and business hours are rejected. False: the rules only limit `free_slots`. */
          enforce_booking_rules: boolean;
          /** Records that an assistant may change at once without a confirmation on the page of the API. */
          assistant_limit: number;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: never;
          therapist_id?: never;
          time_zone?: never;
          currency?: never;
          slot_step?: never;
          buffer_before?: never;
          buffer_after?: never;
          minimum_notice?: never;
          booking_horizon?: never;
          enforce_booking_rules?: never;
          assistant_limit?: never;
          created_at?: never;
          updated_at?: never;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          time_zone?: string;
          currency?: string;
          slot_step?: number;
          buffer_before?: number;
          buffer_after?: number;
          minimum_notice?: number;
          booking_horizon?: number;
          enforce_booking_rules?: boolean;
          assistant_limit?: number;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };

      /** Services that the practice offers, with length and price. */
      service_menu: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          name: string;
          /** Minutes. */
          duration: number;
          /** Two decimals, in the `currency` of `practice_settings`. */
          price: number;
          /** Number of clients in one slot. */
          capacity: number;
          /** The id of the record in another system, unique in the practice. `on_conflict=external_id` finds it again. */
          external_id: string | null;
          /** Values of another system: an object of at most 16 KiB of JSON. */
          metadata: Json | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          name: string;
          duration: number;
          price: number;
          capacity?: number;
          external_id?: string | null;
          metadata?: Json | null;
          created_at?: string;
          updated_at?: string;
          fee_rules?: Omit<Database['public']['Tables']['fee_rules']['Insert'], 'service_id'>[];
          invoice_items?: Omit<Database['public']['Tables']['invoice_items']['Insert'], 'service_id'>[];
          packages?: Omit<Database['public']['Tables']['packages']['Insert'], 'service_id'>[];
          appointment_series?: Omit<
            Database['public']['Tables']['appointment_series']['Insert'],
            'service_id'
          >[];
          appointments?: Omit<Database['public']['Tables']['appointments']['Insert'], 'service_id'>[];
        };
        Update: {
          id?: string;
          therapist_id?: string;
          name?: string;
          duration?: number;
          price?: number;
          capacity?: number;
          external_id?: string | null;
          metadata?: Json | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };

      /** URLs that get the events of the practice by POST. Deliveries are in `webhook_deliveries`. A practice can have ten. For owners. */
      webhooks: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          /** `https`, on a public address (400 `PM010`). It may contain a secret, so it is not in events. */
          url: string;
          /** The types of the events that are sent, such as `AppointmentScheduled`; null: all of them. */
          event_types: string[] | null;
          description: string | null;
          /** Paused: nothing is sent until it is active, then all missed events. Failing: set by the server after ten failed attempts; set it to active to continue with that event. */
          status: Database['public']['Enums']['webhooks_status'];
          /** Verifies signatures. Only the responses to the creation and to `rpc/rotate_webhook_secret` have it. */
          secret: string | null;
          /** When the secret was last replaced. The one before it signs too for 24 hours. */
          secret_rotated_at: string | null;
          /** The cursor of the last event that was delivered or filtered out. Null before the first delivery and in past states. */
          delivered_until: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
          /** The version of the record, from 1. Only a read that names it returns it. */
          version: number;
          /** How well the record matches, with a filter `sim` or of full text only. Order by it, descending. */
          _rank: number;
          /** The passage that matches, with such a filter only. */
          _snippet: string | null;
        };
        ComputedFields: 'version' | '_rank' | '_snippet';
        Insert: {
          id?: string;
          therapist_id?: string;
          url: string;
          event_types?: string[] | null;
          description?: string | null;
          status?: Database['public']['Enums']['webhooks_status'];
          secret?: string | null;
          secret_rotated_at?: string | null;
          delivered_until?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          url?: string;
          event_types?: string[] | null;
          description?: string | null;
          status?: Database['public']['Enums']['webhooks_status'];
          secret?: string | null;
          secret_rotated_at?: string | null;
          delivered_until?: string | null;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
    };
    Views: {
      /** Erasures of the personal values of clients, which `rpc/erase_client` begins. For owners. */
      erasures: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          /** The client whose personal values are erased. */
          client_id: string;
          /** When the erasure was requested. */
          requested_at: string;
          /** The owner who requested it. */
          requested_by: string;
          /** Why. It is kept: it must not name the client. */
          reason: string | null;
          /** Done: no service has personal values of the client, and the certificate is signed. */
          status: Database['public']['Enums']['erasures_status'];
          /** By service: `status` (running, done) and, once it is done, the number of `events` whose values are erased, `erased_at`, and `position` and `hash` of the end of the log. */
          services: Json;
          /** When the last service was done. */
          completed_at: string | null;
          /** A compact JWS (RFC 7515) of requester, time, reason and `services`. The key is in `/auth/v1/.well-known/jwks.json` and in the header. */
          certificate: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
        };
        Relationships: [];
      };

      /** Debt and credit of clients, kept by the server: one record for each client who has any, with the id of the client. */
      client_balances: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          client_id: string;
          /** The sum of `amount_due` of open invoices. */
          receivable: number;
          /** Payments and credit notes that pay no invoice yet. */
          credit: number;
          /** `receivable` minus `credit`. */
          balance: number;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
        };
        Relationships: [
          {
            foreignKeyName: 'client_balances_client_id_fkey';
            columns: ['client_id'];
            isOneToOne: false;
            referencedRelation: 'clients';
            referencedColumns: ['id'];
          },
        ];
      };

      /** The access that members have given to apps. Owners see all of the practice, other members their own. DELETE revokes the access at once; members with the role `read_only` do it with `supabase.auth.oauth.revokeGrant`. */
      oauth_grants: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          /** The app: the id of a record in `oauth_clients`, or the URL of its metadata document. */
          client_id: string;
          /** The name of the app when access was given. */
          client_name: string;
          /** The member. */
          user_id: string;
          /** The rights of the app, as scopes of personal access tokens: `appointments:read`. */
          scopes: string[];
          /** When an assistant must ask: never, above a threshold of the practice, or always. */
          ask: Database['public']['Enums']['oauth_grants_ask'];
          /** When the access ends. */
          expires_at: string;
          /** The last use, within five minutes. Null before the first use and in past states. */
          last_used_at: string | null;
          /** The network address of the last use. */
          last_used_address: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
        };
        Relationships: [];
      };

      /** Exports of the practice, which `rpc/export_practice` begins. Only the response of that call has the link to the archive. For owners. */
      exports: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          /** When the export was requested. */
          requested_at: string;
          /** The owner who requested it. */
          requested_by: string;
          /** Done: the archive is complete. Failed: there is no archive; `problem` is the reason. */
          status: Database['public']['Enums']['exports_status'];
          /** Percent of the files of the archive that are complete, in tens. */
          progress: number;
          /** Bytes of the archive, once it is complete. */
          size: number | null;
          /** When the archive is deleted at the latest. */
          expires_at: string | null;
          /** Why it failed. */
          problem: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
        };
        Relationships: [];
      };

      /** Sign-ins, refused sign-ins, break-glass access, exports, the end of the practice, and changes of access, members and requirements. For owners. */
      security_events: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          /** The kind of event. `created_at` is its time. */
          kind: Database['public']['Enums']['security_events_kind'];
          /** The person whose access is concerned, if that person has an account. */
          user_id: string | null;
          /** The membership that was changed. */
          membership_id: string | null;
          /** The person who was signed in and did it. */
          by_user_id: string | null;
          /** The session in which it happened. */
          session_id: string | null;
          /** The personal access token, or the grant of an app (`oauth_grants`), that was created, revoked or used. */
          token_id: string | null;
          /** The network address of the request. */
          address: string | null;
          /** Why a member took break-glass access, or an owner closed the practice. */
          reason: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
        };
        Relationships: [];
      };

      /** The history of clients: one row for each event of a record, also of deleted ones. Read-only. */
      clients_history: History<'clients'>;

      /** The history of conversation_log: one row for each event of a record, also of deleted ones. Read-only. */
      conversation_log_history: History<'conversation_log'>;

      /** The history of erasures: one row for each event of a record, also of deleted ones. Read-only. */
      erasures_history: History<'erasures'>;

      /** The history of diagnoses: one row for each event of a record, also of deleted ones. Read-only. */
      diagnoses_history: History<'diagnoses'>;

      /** The history of measures: one row for each event of a record, also of deleted ones. Read-only. */
      measures_history: History<'measures'>;

      /** The history of note_templates: one row for each event of a record, also of deleted ones. Read-only. */
      note_templates_history: History<'note_templates'>;

      /** The history of private_notes: one row for each event of a record, also of deleted ones. Read-only. */
      private_notes_history: History<'private_notes'>;

      /** The history of session_addenda: one row for each event of a record, also of deleted ones. Read-only. */
      session_addenda_history: History<'session_addenda'>;

      /** The history of sessions: one row for each event of a record, also of deleted ones. Read-only. */
      sessions_history: History<'sessions'>;

      /** The history of billing_settings: one row for each event of a record, also of deleted ones. Read-only. */
      billing_settings_history: History<'billing_settings'>;

      /** The history of client_balances: one row for each event of a record, also of deleted ones. Read-only. */
      client_balances_history: History<'client_balances'>;

      /** The history of credit_notes: one row for each event of a record, also of deleted ones. Read-only. */
      credit_notes_history: History<'credit_notes'>;

      /** The history of expenses: one row for each event of a record, also of deleted ones. Read-only. */
      expenses_history: History<'expenses'>;

      /** The history of fee_rules: one row for each event of a record, also of deleted ones. Read-only. */
      fee_rules_history: History<'fee_rules'>;

      /** The history of invoice_items: one row for each event of a record, also of deleted ones. Read-only. */
      invoice_items_history: History<'invoice_items'>;

      /** The history of invoices: one row for each event of a record, also of deleted ones. Read-only. */
      invoices_history: History<'invoices'>;

      /** The history of packages: one row for each event of a record, also of deleted ones. Read-only. */
      packages_history: History<'packages'>;

      /** The history of payment_allocations: one row for each event of a record, also of deleted ones. Read-only. */
      payment_allocations_history: History<'payment_allocations'>;

      /** The history of payments: one row for each event of a record, also of deleted ones. Read-only. */
      payments_history: History<'payments'>;

      /** The history of taxes: one row for each event of a record, also of deleted ones. Read-only. */
      taxes_history: History<'taxes'>;

      /** The history of memberships: one row for each event of a record, also of deleted ones. Read-only. */
      memberships_history: History<'memberships'>;

      /** The history of oauth_clients: one row for each event of a record, also of deleted ones. Read-only. */
      oauth_clients_history: History<'oauth_clients'>;

      /** The history of oauth_grants: one row for each event of a record, also of deleted ones. Read-only. */
      oauth_grants_history: History<'oauth_grants'>;

      /** The history of exports: one row for each event of a record, also of deleted ones. Read-only. */
      exports_history: History<'exports'>;

      /** The history of practices: one row for each event of a record, also of deleted ones. Read-only. */
      practices_history: History<'practices'>;

      /** The history of security_events: one row for each event of a record, also of deleted ones. Read-only. */
      security_events_history: History<'security_events'>;

      /** The history of appointment_series: one row for each event of a record, also of deleted ones. Read-only. */
      appointment_series_history: History<'appointment_series'>;

      /** The history of appointments: one row for each event of a record, also of deleted ones. Read-only. */
      appointments_history: History<'appointments'>;

      /** The history of business_hours: one row for each event of a record, also of deleted ones. Read-only. */
      business_hours_history: History<'business_hours'>;

      /** The history of practice_settings: one row for each event of a record, also of deleted ones. Read-only. */
      practice_settings_history: History<'practice_settings'>;

      /** The history of service_menu: one row for each event of a record, also of deleted ones. Read-only. */
      service_menu_history: History<'service_menu'>;

      /** The history of webhooks: one row for each event of a record, also of deleted ones. Read-only. */
      webhooks_history: History<'webhooks'>;

      /** The ledger: every event of invoices, payments, allocations, credit notes and expenses as balanced entries. `as_of` gives the entries of a past instant. Read-only, for owners and billing. */
      ledger_entries: {
        Row: {
          /** The id of the entry. */
          id: string;
          /** The practice. */
          therapist_id: string;
          /** When it was recorded. */
          at: string;
          /** The position of its event in the log of the practice. */
          position: number;
          /** The type of the event: `InvoiceFinalized`. */
          event: string;
          /** The resource of the record: `invoices`. */
          resource: string;
          /** The record that the event is of. */
          record_id: string;
          /** The client; null for an expense. */
          client_id: string | null;
          /** The day of the booking: the date of the record; for an allocation and a later change of an invoice, their day in UTC. */
          date: string;
          /** The month of `date`: `2030-01`. */
          month: string;
          account: Database['public']['Enums']['ledger_entries_account'];
          debit: number;
          credit: number;
        };
        Relationships: [];
      };

      /** Attempts to deliver events to webhooks: one row for each, kept for 30 days. Neither the event nor the response is stored. Read-only, for owners. */
      webhook_deliveries: {
        Row: {
          /** The id of the row. */
          id: string;
          /** The practice. */
          therapist_id: string;
          /** The webhook. It may be deleted. */
          webhook_id: string;
          /** The `id` of the event, and the header `webhook-id` of the delivery. */
          event_id: string;
          /** The type of the event: `AppointmentScheduled`; `Ping` for `rpc/test_webhook`. */
          type: string;
          /** When the attempt began. */
          at: string;
          /** The number of the attempt at this event, from 1. */
          attempt: number;
          /** Retrying: it is sent again at `next_attempt_at`. Failed: it was the last attempt. */
          status: Database['public']['Enums']['webhook_deliveries_status'];
          /** The HTTP status of the response; null without one. */
          response_status: number | null;
          /** How long the attempt took. */
          duration_ms: number;
          /** Why it failed. */
          error: string | null;
          /** When the event is sent again. */
          next_attempt_at: string | null;
        };
        Relationships: [];
      };

      /** Who read or searched confidential records: one row for each request, recorded before the response was sent. Read-only, for owners. */
      access_log: {
        Row: {
          /** The id of the row. */
          id: string;
          /** The practice. */
          therapist_id: string;
          /** When the records were read. */
          at: string;
          /** `user` or `token`. */
          actor: string;
          /** The user; for a token its owner. */
          actor_id: string;
          /** The name at that time: the user’s name or e-mail address, or the token’s name. */
          actor_name: string | null;
          /** The `X-Request-Id` of the request. */
          request_id: string;
          /** The resource whose records were read. */
          resource: string;
          /** The HTTP method. */
          method: string;
          /** The ids of the records. If they are more than 1,000, the ids of the records that the response shows; null if it shows none, or only their number. */
          record_ids: Json | null;
          /** The number of the records that the response depends on; 0 for a search in none. */
          count: number;
          /** The network address of the caller. */
          address: string | null;
          /** The security event of the break-glass access under which the records were read. */
          break_glass_id: string | null;
        };
        Relationships: [];
      };
    };
    Functions: {
      /** Makes the caller a member of the inviting practice. Call `switch_practice` afterwards to work there. */
      accept_invitation: {
        Args: {
          /** From the link in the mail: valid once, for seven days. */
          token: string;
        };
        Returns: {
          /** The practice. */
          therapist_id: string;
          /** The role in the practice. */
          role: 'owner' | 'therapist' | 'front_desk' | 'billing' | 'read_only';
        };
      };

      /** Carries out up to 100 writes in order, all or none. In one service they are one transaction and one change. Across services they follow each other, and if one is refused, those before it are undone. */
      batch: {
        Args: {
          /** Objects with `method` (POST if omitted), `path` (`<resource>?<query>`), `body`, `prefer`, and `as`, a name: later operations may use `$name.column`. */
          operations: Json;
        };
        Returns: {
          /** `service`: one transaction; `compensated`: several services. */
          atomic: 'service' | 'compensated';
          /** For each operation `as`, `status` and `body`. */
          operations: Json;
        };
      };

      /** Makes draft invoices, one for each client, from completed appointments with a service. Each appointment is billed once. These are not billed: appointments that use a package, unless it is void; appointments that were just completed and may still get a session; appointments of erased clients. Give `client_id`, or `from` and `to`, or all of them. */
      bill_appointments: {
        Args: {
          /** Only appointments of this client. */
          client_id?: string | null;
          /** The first day. */
          from?: string | null;
          /** The last day; without client_id, at most 92 days after the first. */
          to?: string | null;
        };
        Returns: {
          invoice_id: string;
          client_id: string;
          /** The number of items of the draft. */
          items: number;
          total: number;
        }[];
      };

      /** For emergencies: for 60 minutes, this session also reads all that the role `therapist` reads. Writes stay as they are. Owners are mailed and see the reason in the security events; the access log marks each read of confidential records. */
      break_glass: {
        Args: {
          /** Why it is necessary. It is kept for good, so do not name a client in it. */
          reason: string;
        };
        Returns: {
          /** The `id` of the security event, and the `break_glass_id` in the access log. */
          id: string;
          /** When the access ends. */
          until: string;
        };
      };

      /** The calendar links of the caller in the practice, the newest first; for owners, the links of all members. */
      calendar_links: {
        Args: never;
        Returns: {
          id: string;
          /** The member who made it. */
          user_id: string;
          /** Whether it shows names. */
          full: boolean;
          /** The member whose calendar it is. Null: every calendar. */
          practitioner_id: string | null;
          /** When it was made. */
          created_at: string;
          /** When it was last used, to about five minutes. */
          last_used_at: string | null;
          /** The network address that it was last used from. */
          last_used_address: string | null;
        }[];
      };

      /** Changes the scheduled and confirmed appointments of a series from an occurrence on. Individually changed appointments stay unchanged unless `include_exceptions` is true. The series then begins with the first of them. If a time is taken, nothing changes: 409 `PM002`. */
      change_series: {
        Args: {
          series_id: string;
          /** Occurrences (`series_date`) from this day on change. Without one: 400 `22023`, unless `date` and `rrule` are given. */
          from_date: string;
          /** The new date of the first of them, which the rule must have. */
          date?: string | null;
          /** The new rule from there on. Its dates replace the old ones in order: further ones are booked, missing ones cancelled. With `date` only, the rule and the number of occurrences stay. */
          rrule?: string | null;
          start_time?: string | null;
          /** If omitted although `start_time` or `service_id` is given: `start_time` plus the duration of the service; without a service, the length stays. */
          end_time?: string | null;
          /** Null clears it; if omitted, it stays. */
          client_id?: string | null;
          /** Null clears it; if omitted, it stays. */
          service_id?: string | null;
          /** Null clears it; if omitted, it stays. */
          practitioner_id?: string | null;
          /** Null clears it; if omitted, it stays. */
          notes?: string | null;
          /** True: individually changed appointments change too. */
          include_exceptions?: boolean;
        };
        Returns: {
          /** The series. */
          id: string;
          rrule: string;
          date: string;
          start_time: string;
          end_time: string;
          /** Appointments that have changed. */
          changed: number;
          /** Appointments that the new rule has added. */
          booked: number;
          /** Appointments that the new rule does not have. */
          cancelled: number;
        };
      };

      /** Closes the practice: it is read-only for 30 days, and then it is erased. Reads, exports and sign-ins still work; every write is 409 `PM017`. Until then, `reopen_practice` opens it again. The owners get a mail. */
      close_practice: {
        Args: {
          /** The `name` of the practice, typed again. */
          name: string;
          /** Why. It becomes a part of the security event, so do not name a client in it. */
          reason?: string | null;
          /** Required, or `nonce`, unless the caller has signed in within the last minutes. */
          current_password?: string | null;
          /** The code of `reauthenticate`. */
          nonce?: string | null;
        };
        Returns: {
          /** As in `practices`. */
          closed_at: string;
          /** As in `practices`. */
          erase_at: string;
        };
      };

      /** Co-signs a signed note. Only the member in `needs_cosign_by` may. Requires a recent sign-in, or a second factor (`aal2`). */
      cosign_note: {
        Args: {
          /** The note. */
          session_id: string;
          /** The version of the note that the caller has seen (its `ETag`): 412 `PM006` for another one. */
          version?: number | null;
          /** Required, or `nonce`, unless the caller has signed in within the last minutes. */
          current_password?: string | null;
          /** The code of `reauthenticate`. */
          nonce?: string | null;
        };
        Returns: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          cosigned_at: string | null;
          cosigned_by_name: string | null;
        };
      };

      /** Creates a link to the appointments as a calendar (RFC 5545), for calendar programs. The link needs no key and no token until it is revoked, and shows what its maker may see at each read. */
      create_calendar_link: {
        Args: {
          /** True: with the names of clients and services. False: with initials only. */
          full?: boolean;
          /** A member: only appointments of this member, and appointments of the whole practice. */
          practitioner_id?: string | null;
          /** Required, or `nonce`, unless the caller has signed in within the last minutes. */
          current_password?: string | null;
          /** The code of `reauthenticate`. */
          nonce?: string | null;
        };
        Returns: {
          /** For `rpc/revoke_calendar_link`. */
          id: string;
          /** The link. Only this response contains it. */
          url: string;
        };
      };

      /** Creates ten recovery codes. Each replaces an authenticator app’s code once. Earlier codes become invalid. Only this response contains them. */
      create_recovery_codes: {
        Args: {
          /** Required, or `nonce`, unless the caller has signed in within the last minutes. */
          current_password?: string | null;
          /** The code of `reauthenticate`. */
          nonce?: string | null;
        };
        Returns: {
          /** A recovery code. */
          code: string;
        }[];
      };

      /** Creates a personal access token for the practice of the caller, as `POST /auth/v1/tokens` does. Only this response contains the token. */
      create_token: {
        Args: {
          /** 1 to 100 characters. */
          name: string;
          /** Within 365 days. Null: in 90 days. */
          expires_at?: string | null;
          /** Rights: `clients:read`, `appointments:write`, `*:read`, `rpc:free_slots`. Null: everything that the caller may do. */
          scopes?: string[] | null;
          /** True, in place of `scopes`: `*:read`. */
          read_only?: boolean;
          /** Required, or `nonce`, unless the caller has signed in within the last minutes. */
          current_password?: string | null;
          /** The code of `reauthenticate`. */
          nonce?: string | null;
        };
        Returns: {
          /** For `rpc/revoke_token`. */
          id: string;
          /** The practice that it acts in. */
          therapist_id: string;
          name: string;
          /** Its first characters. */
          prefix: string;
          /** Null: everything that the caller may do. */
          scopes: string[] | null;
          /** Whether its scopes only permit reading. */
          read_only: boolean;
          expires_at: string;
          created_at: string;
          /** When it was last used, to about five minutes. */
          last_used_at: string | null;
          /** The network address that it was last used from. */
          last_used_address: string | null;
          /** The token. */
          token: string;
        };
      };

      /** Who the caller is: the user, the practice, the role in it, and the session or the token. A personal access token needs no scope for it. */
      current_identity: {
        Args: never;
        Returns: {
          /** The practice. */
          therapist_id: string;
          /** The person. */
          user_id: string;
          /** The role in the practice. */
          role: 'owner' | 'therapist' | 'front_desk' | 'billing' | 'read_only';
          /** The session, unless the caller has another kind of token. */
          session_id: string | null;
          /** The personal access token. */
          token_id: string | null;
          /** The name of the personal access token. */
          token_name: string | null;
          /** The scopes of the personal access token. Null: everything that the role may do. */
          scopes: string[] | null;
        };
      };

      /** Deletes the draft that the caller has of a note. */
      discard_draft: {
        Args: {
          /** The note. */
          session_id: string;
          /** The version of the draft that the caller has seen; null without one. 412 `PM006` for another one. */
          version?: string | null;
        };
        Returns: undefined;
      };

      /** Ends all sessions of a member in this practice, for example after a device was stolen. Their tokens are refused at once. Sessions that left the practice end too while their access tokens for it may be valid. Personal access tokens and sessions in other practices stay. */
      end_member_sessions: {
        Args: {
          /** A member of the practice. */
          user_id: string;
        };
        Returns: {
          /** The member. */
          user_id: string;
          /** The number of sessions that were open. */
          ended: number;
        };
      };

      /** Ends one session of the caller, for example on a lost device. Its tokens are refused at once. Another session requires a recent sign-in or a proof. */
      end_session: {
        Args: {
          /** The `id` of `open_sessions`. */
          session_id: string;
          /** Required, or `nonce`, for another session, unless the caller has signed in within the last minutes. */
          current_password?: string | null;
          /** The code of `reauthenticate`. */
          nonce?: string | null;
        };
        Returns: undefined;
      };

      /** Erases the personal values of a client everywhere: records, past states, histories, the log, stored responses, the bus. It cannot be undone. Records stay, with null in place of the values. New values are 409 `PM016`. Follow it in `erasures`. A repeated call returns the same row. */
      erase_client: {
        Args: {
          /** The client. A deleted one can be erased too. */
          client_id: string;
          /** Why. It is kept, also in the certificate: do not name the client in it. */
          reason?: string | null;
          /** Required, or `nonce`, unless the caller has signed in within the last minutes. */
          current_password?: string | null;
          /** The code of `reauthenticate`. */
          nonce?: string | null;
        };
        Returns: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The client whose personal values are erased. */
          client_id: string;
          /** When the erasure was requested. */
          requested_at: string;
          /** The owner who requested it. */
          requested_by: string;
          /** Why. It is kept: it must not name the client. */
          reason: string | null;
          /** Done: no service has personal values of the client, and the certificate is signed. */
          status: 'running' | 'done';
          /** By service: `status` (running, done) and, once it is done, the number of `events` whose values are erased, `erased_at`, and `position` and `hash` of the end of the log. */
          services: Json;
          /** When the last service was done. */
          completed_at: string | null;
          /** A compact JWS (RFC 7515) of requester, time, reason and `services`. The key is in `/auth/v1/.well-known/jwks.json` and in the header. */
          certificate: string | null;
        };
      };

      /** Begins an export of everything that an owner can read: each resource and history as NDJSON and CSV, in a ZIP archive. Follow it in `exports`. A practice can have one export at a time, and ten a day. */
      export_practice: {
        Args: {
          /** Required, or `nonce`, unless the caller has signed in within the last minutes. */
          current_password?: string | null;
          /** The code of `reauthenticate`. */
          nonce?: string | null;
        };
        Returns: {
          /** The row of `exports`. */
          id: string;
          /** When the export was requested. */
          requested_at: string;
          /** As in `exports`. */
          status: 'running';
          /** Downloads the archive once it is complete, for 24 hours, without a token. Only this response contains it. */
          link: string;
        };
      };

      /** Makes a draft an open invoice with the next number of the practice. After that, neither the invoice nor its items can change, and it cannot be undone: 409 `PM021`. Issue a credit note to correct it. */
      finalize_invoice: {
        Args: {
          invoice_id: string;
          /** The date of the invoice, at most 31 days ahead. If omitted: today in the time zone of the practice. */
          issued_on?: string | null;
          /** If omitted: the one of the draft, or as `billing_settings` say. */
          due_on?: string | null;
        };
        Returns: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
          /** From `rpc/finalize_invoice`: without gaps within the practice. Null for a draft. */
          number: string | null;
          /** The date of the invoice. Null for a draft. */
          issued_on: string | null;
          /** If omitted: `payment_days` of `billing_settings` after the date. */
          due_on: string | null;
          /** The sum of the items without tax. */
          subtotal: number;
          /** The sum of the taxes of the items, each rounded half to even. */
          tax_total: number;
          total: number;
          /** The rest to be paid. Zero for a draft. */
          amount_due: number;
        };
      };

      /** The times that can be booked, in order: within business hours, after the notice and up to the horizon, with the buffers around appointments. Give `service_id`, `duration` or both. */
      free_slots: {
        Args: {
          /** The service, for its duration and free seats in group slots. */
          service_id?: string | null;
          /** Minutes, instead of the duration of the service. */
          duration?: number | null;
          /** The first day. If omitted: today in the time zone of the practice. */
          from?: string | null;
          /** The last day, at most 92 days after the first. If omitted: 14 days after the first. */
          to?: string | null;
          /** Only these: monday, tuesday, … If omitted: every day. */
          weekdays?: string[] | null;
          /** The earliest start of a slot. */
          after?: string | null;
          /** The latest end of a slot. */
          before?: string | null;
          /** Free in this member’s calendar. If omitted: in every calendar. */
          practitioner_id?: string | null;
        };
        Returns: {
          date: string;
          start_time: string;
          end_time: string;
          /** The instant of the start. */
          starts_at: string;
          /** The instant of the end. */
          ends_at: string;
          /** Bookings that the slot can take: more than one for a group. */
          seats_left: number;
        }[];
      };

      /** Ends the caller’s membership in the practice of the session, with its sessions, personal access tokens and calendar links. The last owner cannot leave (409 `PM009`). The next sign-in begins in another practice of the caller, or in a new one. */
      leave_practice: {
        Args: {
          /** Required, or `nonce`, unless the caller has signed in within the last minutes. */
          current_password?: string | null;
          /** The code of `reauthenticate`. */
          nonce?: string | null;
        };
        Returns: {
          /** The practice. */
          therapist_id: string;
        };
      };

      /** The practices that the caller is a member of. */
      my_practices: {
        Args: never;
        Returns: {
          /** The practice. */
          therapist_id: string;
          /** Its name. Null while the access is on hold. */
          name: string | null;
          /** The role in the practice. */
          role: 'owner' | 'therapist' | 'front_desk' | 'billing' | 'read_only';
          /** Whether `switch_practice` needs a mailed code or a recovery code after a factor reset elsewhere. */
          is_held: boolean;
          /** Whether the caller acts in it now. */
          is_current: boolean;
        }[];
      };

      /** The personal access tokens of the caller in all practices, the newest first, as `GET /auth/v1/tokens` lists them. */
      my_tokens: {
        Args: never;
        Returns: {
          /** For `rpc/revoke_token`. */
          id: string;
          /** The practice that it acts in. */
          therapist_id: string;
          name: string;
          /** Its first characters. */
          prefix: string;
          /** Null: everything that the caller may do. */
          scopes: string[] | null;
          /** Whether its scopes only permit reading. */
          read_only: boolean;
          expires_at: string;
          created_at: string;
          /** When it was last used, to about five minutes. */
          last_used_at: string | null;
          /** The network address that it was last used from. */
          last_used_address: string | null;
        }[];
      };

      /** Opens a practice for a caller who owns none, such as a person who signed up by an invitation. Call `switch_practice` afterwards to work there. */
      open_practice: {
        Args: never;
        Returns: {
          /** The new practice. */
          therapist_id: string;
        };
      };

      /** The sessions in which the caller is signed in, the newest first. */
      open_sessions: {
        Args: never;
        Returns: {
          id: string;
          /** How the user signed in. */
          method: 'password' | 'otp' | 'passkey';
          /** Time of the sign-in. */
          created_at: string;
          /** Whether it is the session of this call. */
          is_current: boolean;
        }[];
      };

      /** Opens a closed practice again, until it is erased. An open practice stays as it is. The owners get a mail. */
      reopen_practice: {
        Args: never;
        Returns: {
          /** The practice. */
          therapist_id: string;
          /** Whether the practice was closed. */
          reopened: boolean;
        };
      };

      /** Moves a webhook to a place in the log: it gets all later events again, in order. A paused or failing webhook gets them once it is active. */
      replay_webhook: {
        Args: {
          /** The webhook. */
          webhook_id: string;
          /** A cursor, such as `delivered_until` or one of `/events/v1/`: events after it. Or a timestamp: events that were recorded since. */
          from: string;
        };
        Returns: {
          /** The webhook. */
          webhook_id: string;
          /** The cursor behind which it goes on. */
          delivered_until: string;
        };
      };

      /** Removes the second factors and recovery codes of a member who has lost them, and signs the member out of the practice. The member’s access to practices of other owners is on hold until an owner there calls this too, or the member calls `switch_practice` with a mailed code or a recovery code. Both are mailed. */
      reset_factors: {
        Args: {
          /** A member of the practice. */
          user_id: string;
          /** Required, or `nonce`, unless the caller has signed in within the last minutes. */
          current_password?: string | null;
          /** The code of `reauthenticate`. */
          nonce?: string | null;
        };
        Returns: {
          /** The member. */
          user_id: string;
          /** `released`: another owner had reset the factors before; the member can work in this practice again. */
          outcome: 'reset' | 'released';
        };
      };

      /** Ends a calendar link of the caller at once. Owners can end the links of every member of the practice. */
      revoke_calendar_link: {
        Args: {
          /** The `id` of `calendar_links`. */
          id: string;
        };
        Returns: undefined;
      };

      /** Ends a personal access token of the caller at once, as `DELETE /auth/v1/tokens/{id}` does. */
      revoke_token: {
        Args: {
          /** The `id` of `my_tokens`. */
          id: string;
        };
        Returns: undefined;
      };

      /** Creates a new secret for a confidential app, shown in this response only. The previous secret ends after 24 hours, or at once with `revoke`. */
      rotate_client_secret: {
        Args: {
          /** The record in `oauth_clients`. */
          client_id: string;
          /** True: the previous secret ends at once. */
          revoke?: boolean;
        };
        Returns: {
          /** The new `client_secret`. */
          secret: string;
        };
      };

      /** Creates a new secret, shown in this response only. For 24 hours, deliveries are also signed with the previous one. */
      rotate_webhook_secret: {
        Args: {
          /** The webhook. */
          webhook_id: string;
        };
        Returns: {
          /** `whsec_` and the key in base64, as libraries for Standard Webhooks take it. */
          secret: string;
        };
      };

      /** Saves what the caller is typing in a note, without an event: call it every few seconds. There is one draft for each note and author. It is sealed, is no part of the log, and disappears once the note is saved or signed with its texts. */
      save_draft: {
        Args: {
          /** The note. */
          session_id: string;
          /** The version of the draft that the caller has seen; null without one. 412 `PM006` for another one. */
          version?: string | null;
          subjective?: string | null;
          objective?: string | null;
          assessment?: string | null;
          plan?: string | null;
          /** The texts by section: `{"data": "…"}`. The template or the format has the names; `free` allows any. */
          sections?: Json | null;
        };
        Returns: {
          /** The note. */
          session_id: string;
          /** The version of the saved draft. */
          version: string;
          /** The version of the note at that time. */
          note_version: number;
          saved_at: string;
        };
      };

      /** Finds records by words in them: spelling, case and accents may differ, and of telephone numbers only digits count. At most 50 records of each resource, the best first. Session notes (`sessions`, `session_addenda`) are searched only where `resources` names them, by whole words; the access log records it. */
      search: {
        Args: {
          /** The words: a name, a part of it, or a telephone number. */
          q: string;
          /** Only these: `clients`, `conversation_log`, `session_addenda`, `sessions`, `expenses`, `invoices`, `service_menu`. If omitted: all that the caller reads, except session notes. */
          resources?: string[] | null;
        };
        Returns: {
          resource: string;
          /** The record. */
          id: string;
          /** The name of the record, if it has one that the caller sees. */
          title: string | null;
          /** The passage that was found, without markup. */
          snippet: string | null;
          /** From 0 to 1; 1 is the same text. */
          rank: number;
        }[];
      };

      /** The drafts of the caller that have something which is not in their notes. */
      session_drafts: {
        Args: {
          /** Only the draft of this note. */
          session_id?: string | null;
        };
        Returns: {
          /** The note. */
          session_id: string;
          /** The client of the note. */
          client_id: string;
          /** The version of the draft. */
          version: string;
          /** The version of the note when the draft was saved. If the note has a later one, compare both texts. */
          note_version: number;
          saved_at: string;
          subjective: string | null;
          objective: string | null;
          assessment: string | null;
          plan: string | null;
          /** The texts by section: `{"data": "…"}`. The template or the format has the names; `free` allows any. */
          sections: Json | null;
        }[];
      };

      /** Signs a note. It is final then: every write of it is 409 `PM020`, and there is no way to unlock it. Requires a recent sign-in, or a second factor (`aal2`). */
      sign_note: {
        Args: {
          /** The note. */
          session_id: string;
          /** The version of the note that the caller has seen (its `ETag`): 412 `PM006` for another one. */
          version?: number | null;
          /** The meaning of the signature. Only the author signs for authorship. */
          meaning: 'authorship' | 'review' | 'approval';
          /** Required, or `nonce`, unless the caller has signed in within the last minutes. */
          current_password?: string | null;
          /** The code of `reauthenticate`. */
          nonce?: string | null;
        };
        Returns: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          status: 'draft' | 'signed' | 'voided';
          /** The owner or therapist who wrote it. Default: the caller; only owners may name another one. */
          author_id: string | null;
          signed_at: string | null;
          /** The printed name of the signer. */
          signed_by_name: string | null;
          signed_meaning: 'authorship' | 'review' | 'approval' | null;
          /** SHA-256 of the signed columns as canonical JSON (RFC 8785), in hexadecimal digits; see `rpc/verify_note`. */
          text_hash: string | null;
          /** SHA-256 of the texts as the log stores them, sealed. It can be checked after an erasure too. */
          sealed_hash: string | null;
        };
      };

      /** Services to a client that are on open or paid invoices, unless credited in full, for the client to send to an insurer: one row for each item, by date. Diagnoses are not included. */
      superbill: {
        Args: {
          client_id: string;
          /** The first day of service. */
          from: string;
          /** The last day of service. */
          to: string;
        };
        Returns: {
          /** The day of the service; the date of the invoice for an item without an appointment. */
          date: string;
          /** Null once the client is erased. */
          description: string | null;
          appointment_id: string | null;
          service_id: string | null;
          quantity: number;
          unit_price: number;
          amount: number;
          tax_amount: number;
          total: number;
          invoice_id: string;
          invoice_number: string;
          invoice_status: string;
        }[];
      };

      /** Sets the practice of the session, from the next refresh on, and of later sign-ins. If the access is on hold, `nonce` or `recovery_code` ends the hold. */
      switch_practice: {
        Args: {
          /** A practice that the caller is a member of. */
          therapist_id: string;
          /** The code of `reauthenticate`. */
          nonce?: string | null;
          /** A recovery code from before the second factors were reset. */
          recovery_code?: string | null;
        };
        Returns: {
          /** The practice. */
          therapist_id: string;
          /** The role in the practice. */
          role: 'owner' | 'therapist' | 'front_desk' | 'billing' | 'read_only';
        };
      };

      /** Sends a signed event of the type `Ping` once, to a webhook of any status. Follow it in `webhook_deliveries`, by `event_id`. */
      test_webhook: {
        Args: {
          /** The webhook. */
          webhook_id: string;
        };
        Returns: {
          /** The `event_id` of the delivery. */
          event_id: string;
        };
      };

      /** The events of a client's records, newest first: appointments, notes, conversation, changes and money, as far as the caller reads them. Deleted records have no entries. The access log records the notes that were read for it. */
      timeline: {
        Args: {
          /** The client. An unknown one has no entries. */
          client_id: string;
          /** Only entries before this instant: `at` of the last entry of the page before. */
          before?: string | null;
          /** Entries of a page. Entries of one instant stay together, so a page may have more. In a URL, `limit` takes the first ones of a page. */
          limit?: number;
        };
        Returns: {
          /** When it was recorded. */
          at: string;
          kind: 'appointment' | 'note' | 'conversation' | 'change' | 'money';
          /** A sentence about the event, without personal or confidential values. */
          title: string;
          resource: string;
          /** The record. */
          id: string;
          /** The write that made it, for `rpc/undo`. */
          change_id: string | null;
        }[];
      };

      /** Takes back one change (`change_id`), several of one service (`change_ids`), or everything that a user, token or app has done since a time (`actor_id`, `actor_name` or `oauth_client_id`, with `since`), by new events. An undo can be undone. */
      undo: {
        Args: {
          /** The `Change-Id` of a write, also in `<resource>_history`: `scheduling:1042`. */
          change_id?: string | null;
          /** Several, of one service: all of them or none. The newest is taken back first. */
          change_ids?: string[] | null;
          /** Everything that this user has done, also with tokens. */
          actor_id?: string | null;
          /** Everything that the user or token of this name has done, as histories show the name. */
          actor_name?: string | null;
          /** Everything that members have done through this app (OAuth client). */
          oauth_client_id?: string | null;
          /** With an actor: changes from this time on. */
          since?: string | null;
          /** With an actor: changes before this time; if omitted: until now. */
          until?: string | null;
          /** True: values that others have changed since go back too. */
          force?: boolean;
        };
        Returns: {
          service: string;
          /** Null if the part of the service failed. */
          resource: string | null;
          /** The record. */
          id: string | null;
          /** The event that sets it back. */
          event: string | null;
          /** The values before the undo; null for a record that is back, or of a resource that the caller does not read. */
          before: Json | null;
          /** The values after it; null for a record that is deleted, or of a resource that the caller does not read. */
          after: Json | null;
          /** The change that is taken back. */
          undoes: string | null;
          /** Why the part of a service failed: `code`, `message`, `details`, `hint`. */
          problem: Json | null;
        }[];
      };

      /** Recomputes the hashes of the practice’s events, in every service or in one, and compares them with the stored ones. A call checks as many events as it can within a second; continue a longer log with `after`. */
      verify_log: {
        Args: {
          /** Only this service. */
          service?: 'clients' | 'clinical-notes' | 'finance' | 'identity' | 'scheduling' | 'webhooks' | null;
          /** Checks the positions after this one. */
          after?: number;
          /** Checks the positions up to this one, instead of all. */
          upto?: number | null;
        };
        Returns: {
          /** The service that has the log. */
          service: string;
          /** The last position that was checked. */
          positions: number;
          /** The hash stored with the event at that position, as hexadecimal digits; empty for an empty log. */
          head_hash: string;
          /** Whether nothing was changed, removed or added. Null if the call did not get to the end: continue after `positions`. */
          intact: boolean | null;
          /** The first position whose event is missing, was added, or differs from its hash. */
          first_broken: number | null;
        }[];
      };

      /** Checks a signed note, its addenda and the log behind them: recomputes the hashes of the texts, of the sealed texts and of the chain, and compares the stored records with the log. */
      verify_note: {
        Args: {
          /** The note. */
          session_id: string;
        };
        Returns: {
          /** The note. */
          id: string;
          /** Whether every check passes. Null if the log is too long to check it in one call. */
          intact: boolean | null;
          /** Whether the texts have the hashes that were signed. Null after an erasure. */
          text_intact: boolean | null;
          /** Whether the sealed texts in the log have the hash that was signed. */
          sealed_intact: boolean;
          /** Whether the stored records equal the records that the log makes. */
          record_intact: boolean;
          /** Whether the log is intact from the first event of the note to its end. Null if it is too long to check it in one call; see `verify_log`. */
          chain_intact: boolean | null;
          /** Whether texts of the note were erased. */
          erased: boolean;
          signed_at: string | null;
          /** The printed name of the signer. */
          signed_by_name: string | null;
          signed_meaning: 'authorship' | 'review' | 'approval' | null;
          /** SHA-256 of the signed columns as canonical JSON (RFC 8785), in hexadecimal digits; see `rpc/verify_note`. */
          text_hash: string | null;
        };
      };

      /** Marks a signed note as entered in error. Its text stays readable. Only its author and owners may void it. */
      void_note: {
        Args: {
          /** The note. */
          session_id: string;
          /** The version of the note that the caller has seen (its `ETag`): 412 `PM006` for another one. */
          version?: number | null;
          /** Why. */
          reason: string;
        };
        Returns: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          status: 'draft' | 'signed' | 'voided';
          voided_at: string | null;
          void_reason: string | null;
        };
      };
    };
    Enums: {
      clients_status: 'active' | 'inactive' | 'archived';
      conversation_log_role: 'client' | 'therapist' | 'assistant' | 'system';
      conversation_log_channel: 'chat' | 'email' | 'sms' | 'phone' | 'note';
      erasures_status: 'running' | 'done';
      measures_instrument: 'phq-9' | 'phq-2' | 'gad-7' | 'who-5' | 'audit';
      sessions_format: 'soap' | 'dap' | 'birp' | 'girp' | 'free';
      sessions_status: 'draft' | 'signed' | 'voided';
      sessions_signed_meaning: 'authorship' | 'review' | 'approval';
      fee_rules_kind: 'late_cancellation' | 'no_show';
      fee_rules_status: 'active' | 'ended';
      invoices_status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
      packages_status: 'pending' | 'active' | 'void';
      payments_method: 'cash' | 'card' | 'transfer' | 'other';
      memberships_role: 'owner' | 'therapist' | 'front_desk' | 'billing' | 'read_only';
      memberships_status: 'invited' | 'active' | 'removed';
      oauth_clients_kind: 'public' | 'confidential';
      oauth_grants_ask: 'never' | 'above' | 'always';
      exports_status: 'running' | 'done' | 'failed';
      security_events_kind:
        | 'signed_in'
        | 'sign_in_refused'
        | 'signed_out'
        | 'session_ended'
        | 'practice_entered'
        | 'second_factor_passed'
        | 'second_factor_refused'
        | 'factor_enrolled'
        | 'factor_removed'
        | 'factors_reset'
        | 'passkey_registered'
        | 'passkey_renamed'
        | 'passkey_removed'
        | 'passkey_counter_refused'
        | 'access_released'
        | 'recovery_codes_created'
        | 'account_changed'
        | 'address_confirmed'
        | 'token_created'
        | 'token_revoked'
        | 'oauth_granted'
        | 'oauth_grant_used'
        | 'oauth_grant_revoked'
        | 'calendar_link_created'
        | 'calendar_link_revoked'
        | 'member_invited'
        | 'invitation_accepted'
        | 'member_role_changed'
        | 'member_removed'
        | 'mfa_required'
        | 'mfa_no_longer_required'
        | 'glass_broken'
        | 'practice_exported'
        | 'export_downloaded'
        | 'practice_closed'
        | 'practice_reopened';
      appointment_series_status: 'active' | 'ended';
      appointment_series_on_conflict: 'reject' | 'skip';
      appointments_status: 'scheduled' | 'confirmed' | 'completed' | 'cancelled' | 'no_show';
      business_hours_day_of_week:
        | 'monday'
        | 'tuesday'
        | 'wednesday'
        | 'thursday'
        | 'friday'
        | 'saturday'
        | 'sunday';
      webhooks_status: 'active' | 'paused' | 'failing';
      ledger_entries_account:
        | 'accounts_receivable'
        | 'revenue'
        | 'tax'
        | 'cash'
        | 'prepaid'
        | 'bad_debt'
        | 'expenses';
      webhook_deliveries_status: 'delivered' | 'retrying' | 'failed';
    };
    CompositeTypes: { [_ in never]: never };
  };
};
