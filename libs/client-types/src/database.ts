// Written by `npm run generate` from the definitions of the resources: change those instead.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  /** How the client's types read the rest. */
  __InternalSupabase: { PostgrestVersion: '14' };
  public: {
    Tables: {
      /** The people the practice sees. */
      clients: {
        Row: {
          /** The record. The server makes a UUIDv7 when none is given. */
          id: string;
          /** The practice: the authenticated user. */
          therapist_id: string;
          name: string;
          email: string | null;
          phone: string | null;
          status: Database['public']['Enums']['clients_status'];
          /** Completed appointments: counted by the server; set it for an opening balance or a correction. */
          total_visits: number;
          /** May be set on create, for imports. */
          created_at: string;
          /** Kept by the server. */
          updated_at: string;
        };
        Insert: {
          id?: string;
          therapist_id?: string;
          name: string;
          email?: string | null;
          phone?: string | null;
          status?: Database['public']['Enums']['clients_status'];
          total_visits?: number;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          name?: string;
          email?: string | null;
          phone?: string | null;
          status?: Database['public']['Enums']['clients_status'];
          total_visits?: number;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };

      /** What was said to and by a client, entry by entry. Entries are written once. */
      conversation_log: {
        Row: {
          /** The record. The server makes a UUIDv7 when none is given. */
          id: string;
          /** The practice: the authenticated user. */
          therapist_id: string;
          client_id: string;
          role: Database['public']['Enums']['conversation_log_role'];
          channel: Database['public']['Enums']['conversation_log_channel'];
          content: string;
          /** An object, 16 KiB at most. */
          metadata: Json;
          /** May be set on create, for imports. */
          created_at: string;
          /** Kept by the server. */
          updated_at: string;
        };
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

      /** Treatment notes: subjective, objective, assessment, plan. Their texts never leave the service. */
      sessions: {
        Row: {
          /** The record. The server makes a UUIDv7 when none is given. */
          id: string;
          /** The practice: the authenticated user. */
          therapist_id: string;
          client_id: string;
          appointment_id: string | null;
          subjective: string | null;
          objective: string | null;
          assessment: string | null;
          plan: string | null;
          /** May be set on create, for imports. */
          created_at: string;
          /** Kept by the server. */
          updated_at: string;
        };
        Insert: {
          id?: string;
          therapist_id?: string;
          client_id: string;
          appointment_id?: string | null;
          subjective?: string | null;
          objective?: string | null;
          assessment?: string | null;
          plan?: string | null;
          created_at?: string;
          updated_at?: string;
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
        ];
      };

      /** What the practice spends. */
      expenses: {
        Row: {
          /** The record. The server makes a UUIDv7 when none is given. */
          id: string;
          /** The practice: the authenticated user. */
          therapist_id: string;
          date: string;
          /** Two decimals; negative is a refund. */
          amount: number;
          category: string;
          description: string | null;
          vendor: string | null;
          /** May be set on create, for imports. */
          created_at: string;
          /** Kept by the server. */
          updated_at: string;
        };
        Insert: {
          id?: string;
          therapist_id?: string;
          date: string;
          amount: number;
          category?: string;
          description?: string | null;
          vendor?: string | null;
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
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };

      /** Booked, kept, cancelled and missed time. Without a client it blocks the time. */
      appointments: {
        Row: {
          /** The record. The server makes a UUIDv7 when none is given. */
          id: string;
          /** The practice: the authenticated user. */
          therapist_id: string;
          date: string;
          start_time: string;
          /** If omitted: start_time plus the duration of the service. Null in a change computes it again; without a service, the appointment keeps its length. */
          end_time: string;
          status: Database['public']['Enums']['appointments_status'];
          client_id: string | null;
          client_name: string | null;
          service_id: string | null;
          notes: string | null;
          /** True: neither blocks others nor is blocked (an overlap on purpose). */
          allow_overlap: boolean;
          /** May be set on create, for imports. */
          created_at: string;
          /** Kept by the server. */
          updated_at: string;
        };
        Insert: {
          id?: string;
          therapist_id?: string;
          date: string;
          start_time: string;
          end_time?: string;
          status?: Database['public']['Enums']['appointments_status'];
          client_id?: string | null;
          client_name?: string | null;
          service_id?: string | null;
          notes?: string | null;
          allow_overlap?: boolean;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          date?: string;
          start_time?: string;
          end_time?: string;
          status?: Database['public']['Enums']['appointments_status'];
          client_id?: string | null;
          client_name?: string | null;
          service_id?: string | null;
          notes?: string | null;
          allow_overlap?: boolean;
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
        ];
      };

      /** When the practice is open. A day may have several spans. */
      business_hours: {
        Row: {
          /** The record. The server makes a UUIDv7 when none is given. */
          id: string;
          /** The practice: the authenticated user. */
          therapist_id: string;
          day_of_week: Database['public']['Enums']['business_hours_day_of_week'];
          open_time: string;
          close_time: string;
          /** May be set on create, for imports. */
          created_at: string;
          /** Kept by the server. */
          updated_at: string;
        };
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

      /** What the practice offers: name, length in minutes, price. */
      service_menu: {
        Row: {
          /** The record. The server makes a UUIDv7 when none is given. */
          id: string;
          /** The practice: the authenticated user. */
          therapist_id: string;
          name: string;
          /** Minutes. */
          duration: number;
          /** In the practice’s currency, two decimals. */
          price: number;
          /** How many clients one slot takes. */
          capacity: number;
          /** May be set on create, for imports. */
          created_at: string;
          /** Kept by the server. */
          updated_at: string;
        };
        Insert: {
          id?: string;
          therapist_id?: string;
          name: string;
          duration: number;
          price: number;
          capacity?: number;
          created_at?: string;
          updated_at?: string;
        };
        Update: {
          id?: string;
          therapist_id?: string;
          name?: string;
          duration?: number;
          price?: number;
          capacity?: number;
          created_at?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
    };
    Views: { [_ in never]: never };
    Functions: { [_ in never]: never };
    Enums: {
      clients_status: 'active' | 'inactive' | 'archived';
      conversation_log_role: 'client' | 'therapist' | 'assistant' | 'system';
      conversation_log_channel: 'chat' | 'email' | 'sms' | 'phone' | 'note';
      appointments_status: 'scheduled' | 'confirmed' | 'completed' | 'cancelled' | 'no_show';
      business_hours_day_of_week:
        'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';
    };
    CompositeTypes: { [_ in never]: never };
  };
};
