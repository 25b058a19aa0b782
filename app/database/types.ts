// Written by `npm run database:types` from supabase/migrations. Do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      closed_customers: {
        Row: {
          closed_at: string;
          id: string;
        };
        Insert: {
          closed_at?: string;
          id: string;
        };
        Update: {
          closed_at?: string;
          id?: string;
        };
        Relationships: [];
      };
      contact_messages: {
        Row: {
          created_at: string;
          email: string;
          id: string;
          message: string;
          name: string;
          topic: string;
        };
        Insert: {
          created_at?: string;
          email: string;
          id?: string;
          message: string;
          name: string;
          topic: string;
        };
        Update: {
          created_at?: string;
          email?: string;
          id?: string;
          message?: string;
          name?: string;
          topic?: string;
        };
        Relationships: [];
      };
      customers: {
        Row: {
          created_at: string;
          email: string | null;
          id: string;
          origin: string;
          sync_ticket: number;
          user_id: string | null;
        };
        Insert: {
          created_at?: string;
          email?: string | null;
          id: string;
          origin: string;
          sync_ticket?: number;
          user_id?: string | null;
        };
        Update: {
          created_at?: string;
          email?: string | null;
          id?: string;
          origin?: string;
          sync_ticket?: number;
          user_id?: string | null;
        };
        Relationships: [];
      };
      stripe_events: {
        Row: {
          created_at: string;
          handled_at: string | null;
          id: string;
          type: string;
        };
        Insert: {
          created_at: string;
          handled_at?: string | null;
          id: string;
          type: string;
        };
        Update: {
          created_at?: string;
          handled_at?: string | null;
          id?: string;
          type?: string;
        };
        Relationships: [];
      };
      subscriptions: {
        Row: {
          billing_interval: string;
          cancel_at: string | null;
          created_at: string;
          currency: string;
          current_period_end: string | null;
          customer_id: string;
          ended_at: string | null;
          id: string;
          price_id: string;
          status: string;
          unit_amount: number | null;
        };
        Insert: {
          billing_interval: string;
          cancel_at?: string | null;
          created_at: string;
          currency: string;
          current_period_end?: string | null;
          customer_id: string;
          ended_at?: string | null;
          id: string;
          price_id: string;
          status: string;
          unit_amount?: number | null;
        };
        Update: {
          billing_interval?: string;
          cancel_at?: string | null;
          created_at?: string;
          currency?: string;
          current_period_end?: string | null;
          customer_id?: string;
          ended_at?: string | null;
          id?: string;
          price_id?: string;
          status?: string;
          unit_amount?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: "subscriptions_customer_id_fkey";
            columns: ["customer_id"];
            isOneToOne: false;
            referencedRelation: "customers";
            referencedColumns: ["id"];
          },
        ];
      };
    };
    Views: Record<never, never>;
    Functions: {
      claim_guest_purchases: {
        Args: {
          claimant: string;
          verified_email: string;
        };
        Returns: number;
      };
      record_subscriptions: {
        Args: {
          customer: Json;
          customer_subscriptions: Json;
          ticket: number;
        };
        Returns: boolean;
      };
      remove_personal_records: {
        Args: {
          person: string;
          verified_email: string;
        };
        Returns: undefined;
      };
      take_sync_ticket: {
        Args: Record<never, never>;
        Returns: number;
      };
      void_unconfirmed_password: {
        Args: {
          address: string;
        };
        Returns: undefined;
      };
    };
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
};
