// Written by `npm run generate` from the definitions in libs/contracts. Do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

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
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
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

      /** Treatment notes: subjective, objective, assessment, plan. Events do not contain the texts. */
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
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
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

      /** Expenses of the practice. */
      expenses: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
          therapist_id: string;
          date: string;
          /** Two decimals. A negative amount is a refund. */
          amount: number;
          category: string;
          description: string | null;
          vendor: string | null;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
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

      /** Appointments. An appointment without a client blocks the time. */
      appointments: {
        Row: {
          /** The id of the record. If omitted, the server makes a UUIDv7. */
          id: string;
          /** The practice, which is the authenticated user. */
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
          /** True: the appointment may overlap others. */
          allow_overlap: boolean;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
          updated_at: string;
        };
        Insert: {
          id?: string;
          therapist_id?: string;
          date: string;
          start_time: string;
          end_time?: string | null;
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
          end_time?: string | null;
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
          /** In the practice’s currency, two decimals. */
          price: number;
          /** Number of clients in one slot. */
          capacity: number;
          /** Time of creation. May be set on create, for imports. */
          created_at: string;
          /** Time of the last change, set by the server. */
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
